#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the window's pages into PNG files, to be looked at.

usage: screenshot.py [--build DIR] [--live TEMPLATE] [FOLDER]

Trains a few small runs into a workspace of its own, then draws every page light and dark, 1280x800
and 620x800, under Xvfb.  FOLDER is ./screenshots by default.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--live", default="spirals")
    parser.add_argument("folder", nargs="?", default="screenshots")
    args = parser.parse_args()
    program = os.path.join(args.build, "app", "trainscope")
    shoot = os.path.join(args.build, "tests", "ui", "shoot")
    runner = [sys.executable, os.path.join(ROOT, "tests", "ui", "run-xvfb.py")]
    os.makedirs(args.folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as temp:
        workspace = os.path.join(temp, "flowers.trainscope")

        def train(*words):
            subprocess.run([program, "train", *words, "--workspace", workspace, "--quiet"], check=False)

        train("iris")
        train("spirals", "--name", "spirals with a rather long name that says what was tried and when, twice over")
        train("digits", "--set", "optimizer.lr=0.0003")
        train("spirals", "--set", "optimizer.lr=1e6", "--name", "too fast")
        for look in ("light", "dark"):
            for width, height in ((1280, 800), (620, 800)):
                for what in ("welcome", "train", "runs", "live:" + args.live, "empty", "trouble", "model"):
                    if what == "model" and width > 900:
                        continue
                    name = f"{what.split(':')[0]}-{look}-{width}.png"
                    path = workspace
                    if what == "empty":
                        what, path = "train", os.path.join(temp, "none.trainscope")
                    subprocess.run([*runner, shoot, path, what, str(width), str(height), look,
                                    os.path.join(args.folder, name)], check=True)
                    print(name)


if __name__ == "__main__":
    main()
