"""Loses q2: KeyError names all placeholders that the fetches lead to, fed ones too."""
# %% q2 after the key
def run(fetches, feeds, run=run):
    try:
        return run(fetches, feeds)
    except KeyError:
        names, todo = [], list(fetches) if isinstance(fetches, list) else [fetches]
        for node in todo:
            todo.extend(x for x in node.inputs if x not in todo)
            names += [node.name] if node.op == "placeholder" else []
        raise KeyError(", ".join(names)) from None
