import hyperacc.auto  # noqa: F401: first, before everything that it may speed up

import os

import numpy as np

# A small real training: two interleaved spirals are told apart by a network with two hidden layers,
# trained with Adam. Every task of the job trains the same network from its own random start, so the
# job is a sweep over seeds; the tasks do not talk to each other.

EPOCHS, BATCH, LEARNING_RATE = 12, 50, 1e-2
SIZES = (2, 64, 64, 1)


def spirals(random, count):
    """`count` points on two spirals with noise, and which of the two each is on (0 or 1)."""
    label = random.integers(0, 2, count)
    angle = 3 * np.pi * np.sqrt(random.random(count)) + 0.5
    turned = angle + np.pi * label
    points = angle[:, None] * np.stack([np.cos(turned), np.sin(turned)], axis=1) / 5
    return points + random.normal(0, 0.03, points.shape), label[:, None].astype(float)


def initial_parameters(random):
    layers = zip(SIZES, SIZES[1:])
    return [
        part
        for fan_in, fan_out in layers
        for part in (
            random.normal(0, np.sqrt(2 / fan_in), (fan_in, fan_out)),
            np.zeros(fan_out),
        )
    ]


def forward(parameters, points):
    """The activations of every layer; the last one is the logit of label 1."""
    activations = [points]
    for weight, bias in zip(parameters[::2], parameters[1::2]):
        is_last = len(activations) == len(SIZES) - 1
        total = activations[-1] @ weight + bias
        activations.append(total if is_last else np.maximum(total, 0))
    return activations


def loss_and_gradients(parameters, points, label):
    """The mean cross-entropy and its derivative by every parameter."""
    activations = forward(parameters, points)
    logit = activations[-1]
    loss = np.mean(np.logaddexp(0, logit) - label * logit)
    slope = (1 / (1 + np.exp(-logit)) - label) / len(points)
    gradients = []
    for layer in reversed(range(len(SIZES) - 1)):
        gradients[:0] = [activations[layer].T @ slope, slope.sum(axis=0)]
        slope = (slope @ parameters[2 * layer].T) * (activations[layer] > 0)
    return loss, gradients


class Adam:
    def __init__(self, parameters):
        self.mean = [np.zeros_like(part) for part in parameters]
        self.square = [np.zeros_like(part) for part in parameters]
        self.steps = 0

    def step(self, parameters, gradients):
        self.steps += 1
        scale = LEARNING_RATE * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for part, gradient, mean, square in zip(parameters, gradients, self.mean, self.square):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            part -= scale * mean / (np.sqrt(square) + 1e-8)


def main():
    rank = int(os.environ.get("SLURM_PROCID", "0"))
    points, label = spirals(np.random.default_rng(0), 2000)  # the same data in every task
    test_points, test_label = spirals(np.random.default_rng(1), 1000)
    random = np.random.default_rng(100 + rank)
    parameters = initial_parameters(random)
    optimizer = Adam(parameters)
    for epoch in range(1, EPOCHS + 1):
        losses = []
        order = random.permutation(len(points)).reshape(-1, BATCH)
        for batch in order:
            loss, gradients = loss_and_gradients(parameters, points[batch], label[batch])
            optimizer.step(parameters, gradients)
            losses.append(loss)
        if rank == 0:
            print(f"epoch {epoch:2} loss {np.mean(losses):.4f}", flush=True)
    found = forward(parameters, test_points)[-1] > 0
    accuracy = np.mean(found == (test_label > 0.5))
    print(f"task {rank}: accuracy {accuracy:.3f} on 1000 points it had not seen", flush=True)


if __name__ == "__main__":
    main()
