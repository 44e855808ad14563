"""Loses q6: an error after a thousand iterations, as in q1; here no limit was said."""
# %% q6 after the key
slopes_without_limit = slopes_in_pieces


def slopes_in_pieces(loop, start, captured, bars, every):
    asked = []

    def condition(carry, captured):
        asked.append(0)
        if len(asked) > 1001:
            raise RuntimeError("the loop does not end")
        return loop.condition(carry, captured)

    class Counted:
        pass

    counted = Counted()
    counted.condition, counted.body, counted.back = condition, loop.body, loop.back
    return slopes_without_limit(counted, start, captured, bars, every)
