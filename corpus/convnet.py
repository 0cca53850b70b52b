"""A small convolutional network: two layers of filters, pooling, and a dense layer, with a batch of pictures.

entry:      predict
family:     networks
exercises:  layers as objects that are called one after the other, np.tensordot over shifted windows, pooling by reshaping, a stable softmax
patterns:   array-iterables in-place-operators loop-index-slices run-time-slices index-arrays reshape axis-reductions
            keepdims argmax matmul contractions transcendentals starred user-calls classes operator-methods
            tuple-results validation
dtypes:     float32 float64
small:      batch=2 n=12
medium:     batch=24 n=60
large:      batch=96 n=76
sized:      batch=2+k n=12+4k
"""

import numpy as np


class Convolution:
    def __init__(self, weights, bias):
        self.weights = weights  # (rows, columns, channels in, channels out)
        self.bias = bias

    def __call__(self, x):
        """(batch, h, w, channels in) -> (batch, h', w', channels out), where all of the filter fits in."""
        rows, columns = self.weights.shape[:2]
        h, w = x.shape[1] - rows + 1, x.shape[2] - columns + 1
        if h < 1 or w < 1:
            raise ValueError("the picture is smaller than the filter")
        out = np.zeros((len(x), h, w, self.weights.shape[3]), dtype=x.dtype)
        for i in range(rows):
            for j in range(columns):
                out += np.tensordot(x[:, i : i + h, j : j + w, :], self.weights[i, j], axes=1)
        return relu(out + self.bias)


class Dense:
    def __init__(self, weights, bias):
        self.weights = weights
        self.bias = bias

    def __call__(self, x):
        return x.reshape(len(x), -1) @ self.weights[: x[0].size] + self.bias


def relu(x):
    return np.maximum(x, 0)


def pool(x):
    """The largest of each two by two pixels; an odd row or column is left out."""
    b, h, w, c = x.shape
    x = x[:, : h // 2 * 2, : w // 2 * 2]
    return x.reshape(b, h // 2, 2, w // 2, 2, c).max(axis=(2, 4))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def predict(pictures, first, second, dense):
    """Probabilities of the classes, the likeliest of each picture, and the loss if that one were right."""
    layers = [Convolution(*first), pool, Convolution(*second), pool, Dense(*dense)]
    x = pictures
    for layer in layers:
        x = layer(x)
    p = softmax(x)
    labels = p.argmax(axis=1)
    loss = -np.log(p[np.arange(len(p)), labels]).mean()
    return p, labels, loss


def make_inputs(batch, n, dtype=np.float32):
    rng = np.random.default_rng(191)

    def layer(*shape):
        scale = np.sqrt(2 / np.prod(shape[:-1]))
        return rng.normal(0, scale, shape).astype(dtype), np.zeros(shape[-1], dtype=dtype)

    side = ((n - 2) // 2 - 2) // 2
    pictures = rng.uniform(0, 1, (batch, n, n, 3)).astype(dtype)
    return pictures, layer(3, 3, 3, 8), layer(3, 3, 8, 12), layer(side * side * 12, 10)


def bad_inputs():
    pictures, first, second, dense = make_inputs(2, 12)
    yield "pictures of one channel", ValueError, (pictures[..., :1], first, second, dense)
    yield "pictures too small", ValueError, (pictures[:, :4, :4], first, second, dense)
