"""What the formulas of cards, of kernels and of a player have in common: how strongly a text binds,
and which comparison says the opposite."""

# A part stands in brackets where its precedence is below the least that its place asks for. A sum
# with Σ, and a negative number, bind more strongly than + and less than a product.
ATOM, POWER, SIGN, TIMES, PLUS, COMPARED, CHOSEN, PHRASE = 9, 8, 7, 6, 5, 4, 3, 1
SUM = NEGATIVE = 5.5
MORE = 0.5  # by so much that of the right operand of − and / must be higher

OPPOSITE = {"Less": "GreaterEqual", "Greater": "LessEqual", "Equal": "NotEqual"}
OPPOSITE |= {opposite: op for op, opposite in OPPOSITE.items()}
