"""Trains CNN_1d on the CWRU recordings in plain PyTorch, as a baseline.

Uses the common approach: a Dataset that transforms one window at a time with
numpy and scipy, a DataLoader, one thread. Prints one line of JSON.
"""
import argparse
import json
import random
import time

import numpy
import scipy.io
import scipy.signal
import torch
from torch import nn

FILES = [97, 105, 118, 130, 169, 185, 197, 209, 222, 234]
WINDOW = 1024


def load(folder, split):
    training, validation = [], []
    drawn = numpy.random.RandomState(40)
    for label, number in enumerate(FILES):
        content = scipy.io.loadmat(f"{folder}/{number}.mat")
        signal = content[f"X{number:03d}_DE_time"].ravel()
        windows = [signal[i * WINDOW:(i + 1) * WINDOW].astype(numpy.float32)
                   for i in range(len(signal) // WINDOW)]
        if split != "O_A":
            drawn.shuffle(windows)
        first = len(windows) * 8 // 10
        training += [(window, label) for window in windows[:first]]
        validation += [(window, label) for window in windows[first:]]
    return training, validation


def normalised(window):
    return (window - window.mean()) / window.std()


def augmented(window):
    if random.random() < 0.5:
        window = window + numpy.random.normal(0, 0.01, window.shape)
    if random.random() < 0.5:
        window = window * numpy.random.normal(1, 0.01)
    if random.random() < 0.5:
        length = int(WINDOW * (1 + 0.3 * (random.random() - 0.5)))
        stretched = scipy.signal.resample(window, length)
        head = random.random() < 0.5
        if length >= WINDOW:
            window = stretched[:WINDOW] if head else stretched[-WINDOW:]
        else:
            window = numpy.zeros(WINDOW)
            if head:
                window[:length] = stretched
            else:
                window[WINDOW - length:] = stretched
    if random.random() < 0.5:
        start = numpy.random.randint(0, WINDOW - 20)
        window = window.copy()
        window[start:start + 20] = 0
    return window


class Windows(torch.utils.data.Dataset):
    def __init__(self, windows, vary):
        self.windows = windows
        self.vary = vary

    def __len__(self):
        return len(self.windows)

    def __getitem__(self, place):
        window, label = self.windows[place]
        window = normalised(window)
        if self.vary:
            window = augmented(window)
        return torch.from_numpy(window.astype(numpy.float32)[None]), label


def network():
    def conv(channels, out, kernel):
        return [nn.Conv1d(channels, out, kernel), nn.BatchNorm1d(out),
                nn.ReLU(inplace=True)]

    return nn.Sequential(
        *conv(1, 16, 15), *conv(16, 32, 3), nn.MaxPool1d(2, 2),
        *conv(32, 64, 3), *conv(64, 128, 3), nn.AdaptiveMaxPool1d(4),
        nn.Flatten(), nn.Linear(512, 256), nn.ReLU(inplace=True),
        nn.Linear(256, 64), nn.ReLU(inplace=True), nn.Linear(64, len(FILES)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--split", choices=["O_A", "R_A", "R_NA"],
                        default="O_A")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    random.seed(arguments.seed)
    numpy.random.seed(arguments.seed)
    torch.manual_seed(arguments.seed)
    training, validation = load(arguments.folder, arguments.split)
    train_loader = torch.utils.data.DataLoader(
        Windows(training, arguments.split != "R_NA"), batch_size=64, shuffle=True)
    check_loader = torch.utils.data.DataLoader(
        Windows(validation, False), batch_size=64)
    net = network()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.001, weight_decay=1e-5)
    loss_of = nn.CrossEntropyLoss()
    seconds, accuracies = [], []
    for _ in range(arguments.epochs):
        start = time.perf_counter()
        net.train()
        for windows, labels in train_loader:
            optimizer.zero_grad()
            loss = loss_of(net(windows), labels)
            loss.backward()
            optimizer.step()
        seconds.append(time.perf_counter() - start)
        net.eval()
        with torch.no_grad():
            right = sum(
                (net(windows).argmax(1) == labels).sum().item()
                for windows, labels in check_loader)
        accuracies.append(right / len(validation))
    print(json.dumps({"epoch_seconds": seconds, "accuracies": accuracies}))


if __name__ == "__main__":
    main()
