#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer that `trainscope bench` is held against: the same nets trained by PyTorch on this machine.

usage: peer_torch.py MODEL[-ROWS] THREADS

Reads lines "go SECONDS" and answers each with "WALL CPU PEAK": samples per second of wall-clock time and
of this process's CPU time, and its peak memory in MB; prints "ready VERSION" first.  One step is a
batch gather, forward, loss, backward and the optimizer's update, as ours is.  The settings are those
that serve PyTorch best on a CPU: its waiting threads sleep instead of spinning (OMP_WAIT_POLICY=PASSIVE,
set by the caller too), optimizers in their foreach form, images of the CNN channels-last.
"""
import os
import resource
import sys
import time

MODEL, _, COUNT = sys.argv[1].partition("-")  # "mlp-70000": on so many rows
THREADS = int(sys.argv[2])
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

BATCH = {"mlp": 128, "autoencoder": 128, "rbm": 100, "resnet8": 32, "resnet20": 32, "transformer": 32}
SGD = {"logreg": 0, "resnet8": 0.9, "resnet20": 0.9}  # momentum; the others train with Adam
ROWS = int(COUNT or 20000)
TOKENS, VOCABULARY, WIDTH = 64, 1000, 128


def perceptron(*sizes):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i + 2 < len(sizes):
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class Recurrent(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell(28, 128, batch_first=True)
        self.top = nn.Linear(128, 10)

    def forward(self, x):
        states, _ = self.cell(x.view(-1, 28, 28))
        return self.top(states[:, -1])


class Residual(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after))
        self.beside = nn.Identity()
        if stride != 1 or before != after:
            self.beside = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False),
                                        nn.BatchNorm2d(after))

    def forward(self, x):
        return F.relu(self.body(x) + self.beside(x))


def residual_net(blocks):
    layers, before = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()], 16
    for after, stride in ((16, 1), (32, 2), (64, 2)):
        for i in range(blocks):
            layers.append(Residual(before, after, stride if i == 0 else 1))
            before = after
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Parameter(torch.randn(1, TOKENS, WIDTH) * 0.02)
        block = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True,
                                           activation="gelu")
        self.blocks = nn.TransformerEncoder(block, 2)
        self.top = nn.Linear(WIDTH, 10)

    def forward(self, x):
        return self.top(self.blocks(self.words(x) + self.places).mean(1))


def convolutional():
    net = nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(), nn.Linear(128, 10))
    return net.to(memory_format=torch.channels_last)


NETS = {
    "logreg": lambda: perceptron(784, 10),
    "mlp": lambda: perceptron(784, 512, 256, 10),
    "cnn": convolutional,
    "lstm": lambda: Recurrent(nn.LSTM),
    "gru": lambda: Recurrent(nn.GRU),
    "autoencoder": lambda: perceptron(784, 256, 64, 256, 784),
    "resnet8": lambda: residual_net(1),
    "resnet20": lambda: residual_net(3),
    "transformer": Encoder,
}


class Machine:
    """A restricted Boltzmann machine, 784-500, trained by one step of contrastive divergence."""

    def __init__(self):
        self.kernel = torch.randn(784, 500) * 0.01
        self.visible, self.hidden = torch.zeros(784), torch.zeros(500)

    def step(self, v):
        h = torch.sigmoid(torch.addmm(self.hidden, v, self.kernel))
        sample = torch.bernoulli(h)
        v1 = torch.sigmoid(torch.addmm(self.visible, sample, self.kernel.t()))
        h1 = torch.sigmoid(torch.addmm(self.hidden, v1, self.kernel))
        rate = 0.05 / v.shape[0]
        self.kernel.addmm_(v.t(), h, alpha=rate)
        self.kernel.addmm_(v1.t(), h1, alpha=-rate)
        self.visible.add_((v - v1).sum(0), alpha=rate)
        self.hidden.add_((h - h1).sum(0), alpha=rate)
        return F.mse_loss(v1, v)


def features():
    if MODEL == "transformer":
        return torch.randint(0, VOCABULARY, (ROWS, TOKENS))
    if MODEL.startswith("resnet"):
        return torch.randn(4000, 3, 32, 32)
    x = torch.rand(ROWS, 784)  # as torchvision gives images: floats
    return x.view(-1, 1, 28, 28) if MODEL == "cnn" else x


def training():
    """The function that does one step for a batch of rows."""
    x = features()
    labels = torch.randint(0, 10, (len(x),))
    if MODEL == "rbm":
        machine = Machine()
        return len(x), lambda rows: machine.step(x.index_select(0, rows))
    net = NETS[MODEL]()
    if MODEL in SGD:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=SGD[MODEL], foreach=True)
    else:
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, foreach=True)

    def step(rows):
        batch = x.index_select(0, rows)
        if MODEL == "cnn":
            batch = batch.contiguous(memory_format=torch.channels_last)
        optimizer.zero_grad(set_to_none=True)
        out = net(batch)
        loss = (F.mse_loss(out, batch) if MODEL == "autoencoder"
                else F.cross_entropy(out, labels.index_select(0, rows)))
        loss.backward()
        optimizer.step()

    return len(x), step


def main():
    torch.set_num_threads(THREADS)
    torch.set_flush_denormal(True)  # as our threads do; Adam's moments halve its speed otherwise
    torch.manual_seed(1)
    n, step = training()
    batch = BATCH.get(MODEL, 64)
    order, at = torch.randperm(n), 0

    def next_step():
        nonlocal at
        at = 0 if at + batch > n else at
        step(order[at:at + batch])
        at += batch

    for _ in range(20):
        next_step()
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        seconds, steps = float(line.split()[1]), 0
        start, cpu = time.perf_counter(), time.process_time()
        while time.perf_counter() - start < seconds:
            next_step()
            steps += 1
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(steps * batch / (time.perf_counter() - start),
              steps * batch / (time.process_time() - cpu), peak, flush=True)


with torch.no_grad() if MODEL == "rbm" else torch.enable_grad():
    main()
