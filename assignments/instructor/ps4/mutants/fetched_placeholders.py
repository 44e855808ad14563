"""Loses q3: a placeholder that is fetched beside other nodes is listed."""
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    leaves = [x for x in dict.fromkeys(fetches) if x.op == "placeholder" and x not in fed]
    return [*leaves, *needed(fetches, fed)] if len(fetches) > 1 else needed(fetches, fed)
