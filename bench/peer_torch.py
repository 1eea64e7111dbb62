#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer that `trainscope bench` is held against: the same nets trained by PyTorch on this machine.

usage: peer_torch.py MODEL THREADS

Reads lines "go SECONDS" and answers each with "SAMPLES_PER_SECOND"; prints "ready VERSION" first.
One step is a batch gather, forward, loss, backward and the optimizer's update, as ours is.  The
settings are those that serve PyTorch best on a CPU: its waiting threads sleep instead of spinning
(OMP_WAIT_POLICY=PASSIVE, set by the caller too), Adam in its foreach form, images channels-last.
"""
import os
import sys
import time

MODEL, THREADS = sys.argv[1], int(sys.argv[2])
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

import torch  # noqa: E402
from torch import nn  # noqa: E402

BATCH = {"logreg": 64, "mlp": 128, "cnn": 64}[MODEL]
ROWS = 20000


def perceptron(*sizes):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i + 2 < len(sizes):
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


def network():
    if MODEL == "logreg":
        return perceptron(784, 10)
    if MODEL == "mlp":
        return perceptron(784, 512, 256, 10)
    net = nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(), nn.Linear(128, 10))
    return net.to(memory_format=torch.channels_last)


def main():
    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    net = network()
    if MODEL == "logreg":
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
    else:
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, foreach=True)
    features = torch.randint(0, 256, (ROWS, 784)).float() / 255
    labels = torch.randint(0, 10, (ROWS,))
    if MODEL == "cnn":
        features = features.view(-1, 1, 28, 28)
    order, at = torch.randperm(ROWS), 0
    loss_of = nn.CrossEntropyLoss()

    def step():
        nonlocal at
        if at + BATCH > ROWS:
            at = 0
        rows = order[at:at + BATCH]
        at += BATCH
        x = features.index_select(0, rows)
        if MODEL == "cnn":
            x = x.contiguous(memory_format=torch.channels_last)
        optimizer.zero_grad(set_to_none=True)
        loss_of(net(x), labels.index_select(0, rows)).backward()
        optimizer.step()

    for _ in range(20):
        step()
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        seconds = float(line.split()[1])
        start, steps = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            step()
            steps += 1
        print(steps * BATCH / (time.perf_counter() - start), flush=True)


main()
