"""Logistic regression by gradient descent with momentum.

entry:      fit
family:     networks
exercises:  matrix-vector products in a training loop, a closure for the objective, progress on the screen,
            a history that grows
patterns:   matmul transcendentals clip axis-reductions nested-functions progress-print changing-shapes break
            in-place-operators concatenate-stack comprehension record-results default-arguments user-calls newaxis
            conditional-expression enumerate
dtypes:     float64 float32
small:      n=20 d=3
medium:     n=40000 d=16
large:      n=100000 d=24
sized:      n=16+5k d=2+k
"""

import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-np.clip(z, -30, 30)))


def fit(x, y, epochs=240, rate=0.5, ridge=1e-3, momentum=0.9, verbose=True):
    """Fit weights so that sigmoid(x @ w + bias) predicts y (0 or 1); columns of x are standardised first.

    Returns a dict: weights, the last of them the bias; loss at every 40th epoch; accuracy on the training data.
    """
    n = len(y)
    spread = np.sqrt(((x - x.mean(axis=0)) ** 2).mean(axis=0))
    x = (x - x.mean(axis=0)) / spread
    x = np.concatenate([x, np.ones((n, 1), dtype=x.dtype)], axis=1)

    def objective(w):
        p = np.clip(sigmoid(x @ w), 1e-6, 1 - 1e-6)
        loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean() + 0.5 * ridge * (w @ w)
        return loss, x.T @ (p - y) / n + ridge * w

    w = np.zeros(x.shape[1], dtype=x.dtype)
    velocity = np.zeros_like(w)
    losses = np.zeros(0)
    rates = [rate if k < 100 else rate / 2 for k in range(epochs)]
    for epoch, step in enumerate(rates):
        loss, gradient = objective(w)
        if epoch % 40 == 0:
            losses = np.concatenate([losses, loss[np.newaxis]])
            if verbose:
                print("epoch", epoch, "loss", round(float(loss), 4))
        if np.sqrt(gradient @ gradient) < 1e-9:
            break
        velocity *= momentum
        velocity -= step * gradient
        w += velocity

    accuracy = ((x @ w > 0) == (y > 0.5)).mean()
    return {"weights": w, "losses": losses, "accuracy": accuracy}


def make_inputs(n, d, dtype=np.float64):
    rng = np.random.default_rng(13)
    x = rng.normal(0, 1, (n, d)) * rng.uniform(0.5, 4, d) + rng.uniform(-2, 2, d)
    y = (x - x.mean(axis=0)) @ rng.uniform(-1, 1, d) + rng.normal(0, 1, n) > 0
    return x.astype(dtype), y.astype(dtype)


def bad_inputs():
    x, y = make_inputs(10, 3)
    yield "one label short", ValueError, (x, y[:-1])
    yield "a single column, flat", np.exceptions.AxisError, (x[:, 0], y)
