"""Single numbers through every operator, with augmented assignments, as in an engine's tests."""

from micrograd.engine import Value

x = Value(-4.0)
z = 2 * x + 2 + x
q = z.relu() + z * x
h = (z * z).relu()
y = h + q + q * x
y.backward()
first = [y.data, x.grad]

a = Value(-4.0)
b = Value(2.0)
c = a + b
d = a * b + b**3
c += c + 1
c += 1 + c + (-a)
d += d * 2 + (b + a).relu()
d += 3 * d + (b - a).relu()
e = c - d
f = e**2
g = f / 2.0
g += 10.0 / f
g.backward()

total = 0
for i in range(4):
    total += a * i
total *= 0.5
a.grad = 0
total.backward()

RESULT = {"first": first, "g": g.data, "b.grad": b.grad, "total": total.data, "a.grad": a.grad}
