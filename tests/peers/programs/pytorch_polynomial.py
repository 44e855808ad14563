"""sin(x) by a cubic, three times: by hand-made updates, by layers and an optimiser, by a loop."""

import math

import torch

dtype = torch.float64
x = torch.linspace(-math.pi, math.pi, 200, dtype=dtype)
y = torch.sin(x)

# Four numbers, updated by hand.
a, b, c, d = [
    torch.tensor(start, dtype=dtype, requires_grad=True) for start in (0.1, -0.2, 0.3, 0.05)
]
losses = []
for step in range(60):
    y_pred = a + b * x + c * x**2 + d * x**3
    loss = (y_pred - y).square().sum()
    losses.append(loss.item())
    loss.backward()
    with torch.no_grad():
        a -= 1e-5 * a.grad
        b -= 1e-5 * b.grad
        c -= 1e-5 * c.grad
        d -= 1e-5 * d.grad
        a.grad = b.grad = c.grad = d.grad = None
by_hand = [a.item(), b.item(), c.item(), d.item()]

# The same through .data, and with a loss that is summed up in a loop.
w = torch.tensor([0.1, -0.2, 0.3, 0.05], dtype=dtype, requires_grad=True)
powers = torch.stack([x**0, x, x**2, x**3], -1)
for step in range(60):
    total = 0.0
    for half in (slice(0, 100), slice(100, 200)):
        error = powers[half] @ w - y[half]
        total += (error * error).sum()
    total.backward()
    w.data -= 1e-5 * w.grad
    # here: w.grad = None
    w.grad.zero_()
by_data = w.tolist()


# Layers and an optimiser.
class Cubic(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # here: self.w = torch.tensor([0.1, -0.2, 0.3, 0.05], requires_grad=True)
        self.w = torch.nn.Parameter(torch.tensor([0.1, -0.2, 0.3, 0.05], dtype=dtype))

    def forward(self, powers):
        return powers @ self.w


model = Cubic()
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for step in range(100):
    loss = loss_fn(model(powers), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
by_rmsprop = model.w.tolist()

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-3)
for step in range(50):
    loss = loss_fn(model(powers), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# A net whose depth depends on the step, with shared weights.
e = torch.tensor(0.01, dtype=dtype, requires_grad=True)
f = torch.tensor(1.0, dtype=dtype, requires_grad=True)
for step in range(20):
    h = f * x
    for power in range(4, 5 + step % 3):
        h = h + e * x**power
    h *= 0.5
    h += f * torch.tanh(x)
    loss = torch.mean((h - y) ** 2)
    loss.backward()
    with torch.no_grad():
        for p in (e, f):
            p -= 1e-4 * p.grad
            p.grad = None

RESULT = {
    "losses": losses,
    "by hand": by_hand,
    "by data": by_data,
    "by rmsprop": by_rmsprop,
    "by adam": model.w.tolist(),
    "dynamic": [e.item(), f.item(), loss.item()],
}
