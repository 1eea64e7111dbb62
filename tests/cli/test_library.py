#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The engine as a library: installed into a folder, found by pkg-config, used by the programs of
examples/ as a stranger's program would."""
import os
import pathlib
import shutil
import subprocess

import harness

BUILD = os.environ.get("TS_BUILD_ROOT", "build")


def call(command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def build_and_run(folder, name):
    if not shutil.which("cc") or not shutil.which("pkg-config"):
        raise harness.Skip("no cc or no pkg-config here")
    call(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder,
          "--tags", "devel,runtime"])
    config = next(pathlib.Path(folder).rglob("trainscope-1.pc"))
    prefix = next(p for p in config.parents if (p / "include" / "trainscope-1").is_dir())
    env = dict(os.environ, PKG_CONFIG_PATH=str(config.parent))
    text = config.read_text()
    config.write_text(f"prefix={prefix}\n" + text.split("\n", 1)[1])  # where it lies now
    flags = call(["pkg-config", "--cflags", "--libs", "trainscope-1"], env).split()
    program = os.path.join(folder, name)
    call(["cc", "-Wall", "-Werror", "-o", program,
          os.path.join(harness.ROOT, "examples", name + ".c"), *flags])
    return call([program], dict(os.environ, LD_LIBRARY_PATH=str(config.parent.parent)))


def test_two_plus_three(folder):
    lines = build_and_run(folder, "two-plus-three").splitlines()
    assert "no value yet" in lines[0] and lines[1] == "5", lines


def test_mlp(folder):
    lines = build_and_run(folder, "mlp").splitlines()
    losses = [float(line.split()[-1]) for line in lines]
    assert losses[0] > 0.4 and losses[-1] < 0.05, lines


def test_train_step(folder):
    text = build_and_run(folder, "train-step")
    results = dict(line.split() for line in text.splitlines() if line.startswith(("val/", "test/")))
    skipped = int(text.splitlines()[-1].split()[0])
    assert float(results["test/accuracy"]) > 0.9 and skipped > 0, text


harness.main([test_two_plus_three, test_mlp, test_train_step])
