"""Loses q2: KeyError holds a sentence about the placeholder, not its name."""
# %% q2 after the key
def run(fetches, feeds, run=run):
    try:
        return run(fetches, feeds)
    except KeyError as error:
        raise KeyError(f"the placeholder {error.args[0]!r} is needed and not fed") from None
