#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs from the command line: the same again, stopped, killed, resumed."""
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import time

from harness import PROGRAM, main, points, run, run_json, train

NET = ["--data", "synthetic", "--set", "data.rows=3000", "--set", "data.features=784", "--set", "data.classes=10"]


def spawn(*args):
    return subprocess.Popen([PROGRAM, "train", *args, "--json"], stdout=subprocess.PIPE, text=True)


def same_twice(folder):
    """One seed: the same checkpoint and points, for any thread count, recorded or not."""
    paths = [os.path.join(folder, f"{i}.trainscope") for i in range(5)]
    options = [[], [], ["--threads", "1"], ["--threads", "3"], ["--no-record"]]
    ends = [train("mlp", *NET, "--epochs", "3", "-w", p, *o) for p, o in zip(paths, options)]
    assert len({e["checkpoint_sha256"] for e in ends}) == 1, ends
    want = points(paths[0])
    assert len(want) > 150
    for path in paths[1:4]:
        assert points(path) == want, path
    assert not points(paths[4])
    assert ends[0]["metrics"] == ends[1]["metrics"] and ends[0]["best"] == ends[1]["best"]
    other = train("mlp", *NET, "--epochs", "3", "--seed", "2", "-w", paths[0])
    assert other["checkpoint_sha256"] != ends[0]["checkpoint_sha256"]


def shapes(folder):
    """The JSON that scripts rely on."""
    path = os.path.join(folder, "w.trainscope")
    out, _ = run("train", "iris", "--json", "--name", "first", "-w", path)
    events = [json.loads(line) for line in out.splitlines()]
    assert {"progress", "saved", "end"} >= {e["event"] for e in events}
    end = events[-1]
    assert end["event"] == "end" and end["run"] == "first" and end["state"] == "finished"
    assert end["steps"] == 600 and end["epochs"] == 100 and end["seconds"] > 0
    assert set(end["metrics"]) == {"val/loss", "val/accuracy", "test/loss", "test/accuracy"}
    assert end["stopped_early"] is False and 1 <= end["test_epoch"] <= 100
    assert set(end["best"]) == {"tag", "value", "step", "epoch"} and end["best"]["tag"] == "val/accuracy"
    assert re.fullmatch("[0-9a-f]{64}", end["checkpoint_sha256"])
    show = run_json("show", path, "first")
    assert show["state"] == "finished" and show["hparams"]["optimizer.lr"] == 0.01 and show["hparams"]["batch"] == 16
    assert len(show["sessions"]) == 1
    loss = show["tags"]["train/loss"]
    assert loss["kind"] == "scalar" and loss["count"] == 600 and loss["first_step"] == 1 and loss["last_step"] == 600
    assert loss["finite"] == 600 and loss["nan"] == 0 and loss["min"] <= loss["last_value"] <= loss["max"]
    assert show["tags"]["weights/dense/kernel"]["kind"] == "histogram"
    assert show["tags"]["weights/dense/kernel"]["count"] == 7
    assert [c["exists"] for c in show["checkpoints"]] == [True] * len(show["checkpoints"])
    assert show["checkpoints"][-1]["sha256"] == end["checkpoint_sha256"]
    runs = run_json("runs", path)
    assert len(runs) == 1 and runs[0]["uuid"] == end["uuid"] and runs[0]["last"]["val/accuracy"] == end["metrics"]["val/accuracy"]
    assert runs[0]["tags"] == len(show["tags"]) and runs[0]["points"] > 2400
    models = {m["name"]: m for m in run_json("models")}
    assert models["iris"]["available"] and models["mlp"]["package"] == "dataset-fashion-mnist"
    sets = {s["name"]: s for s in run_json("datasets")}
    assert sets["iris"]["available"] and sets["iris"]["package"] is None
    for command in ("runs", "show", "train", "models", "datasets", "check", "lr-range"):
        assert "--json" in run(command, "--help")[0]


def bench(_folder):
    """The shape of bench's figures; the peer is null where PyTorch is not installed."""
    out = run_json("bench", "logreg", "--seconds", "0.05", "--rounds", "3")
    assert {"cores", "threads", "isa", "blas_core", "blas_version"} <= set(out["machine"])
    figure, share, memory = out["results"]
    assert figure["name"] == "logreg" and figure["unit"] == "samples/CPU-s" and figure["rounds"] == 3
    assert figure["ours"] > 0 and (figure["peer"] is None) == (figure["ratio"] is None)
    assert share["unit"] == "%" and 0 < share["ours"] < 100, share
    assert memory["unit"] == "MB" and 0 < memory["ours"] <= 2 * memory["peer"], memory
    run("bench", "iris", status=2)
    run("bench", "--threads", "0", status=2)


def plotting(folder):
    """Charts of a run as PNG, SVG and PDF, and what cannot be drawn in words."""
    path = os.path.join(folder, "w.trainscope")
    end = train("iris", "--epochs", "5", "-w", path)
    for kind, magic in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        picture = os.path.join(folder, f"x.{kind}")
        run("plot", path, "--tag", "*/loss", "--run", end["run"], "-o", picture)
        with open(picture, "rb") as file:
            assert file.read(8).startswith(magic), kind
    _, err = run("plot", path, "--tag", "val/los", "-o", os.path.join(folder, "y.png"), status=None)
    assert "val/los" in err and "val/loss" in err and not os.path.exists(os.path.join(folder, "y.png")), err
    _, err = run("plot", path, "--tag", "*", "-o", os.path.join(folder, "y.bmp"), status=None)
    assert "bmp" in err and "png" in err, err


def diverging(folder):
    """NaN is kept, counted and said."""
    path = os.path.join(folder, "w.trainscope")
    end = train("mlp", *NET, "--set", "optimizer=sgd", "--set", "optimizer.lr=1e6", "--epochs", "2", "-w", path)
    assert end["metrics"]["val/loss"] == "NaN", end
    show = run_json("show", path, end["run"])
    loss = show["tags"]["train/loss"]
    assert loss["nan"] > 0 and loss["finite"] + loss["nan"] + loss["pos_inf"] + loss["neg_inf"] == loss["count"]
    assert any("NaN" in n["text"] or "infinite" in n["text"] for n in show["notes"]), show["notes"]


def stopped(folder):
    """SIGTERM and SIGINT save a checkpoint and end the run as stopped, with status 0; resuming gives
    what an unbroken run gives."""
    whole = os.path.join(folder, "whole.trainscope")
    want = train("mlp", *NET, "--epochs", "6", "-w", whole)
    for number in (signal.SIGTERM, signal.SIGINT):
        path = os.path.join(folder, f"{number}.trainscope")
        job = spawn("mlp", *NET, "--epochs", "6", "-w", path)
        for line in job.stdout:
            if json.loads(line).get("step", 0) >= 20:
                break
        job.send_signal(number)
        out, _ = job.communicate(timeout=30)
        end = json.loads(out.splitlines()[-1])
        assert job.returncode == 0 and end["state"] == "stopped", end
        assert 20 <= end["steps"] < want["steps"], end
        assert run_json("runs", path)[0]["state"] == "stopped"
        again = train("--resume", end["run"], "-w", path)
        assert again["state"] == "finished" and again["uuid"] == end["uuid"]
        assert again["checkpoint_sha256"] == want["checkpoint_sha256"]
        assert points(path) == points(whole)
        assert len(run_json("show", path, end["run"])["sessions"]) == 2


def longer(folder):
    """A finished run goes on when it is given more epochs."""
    a, b = (os.path.join(folder, f"{n}.trainscope") for n in "ab")
    want = train("mlp", *NET, "--epochs", "3", "-w", a)
    first = train("mlp", *NET, "--epochs", "2", "-w", b)
    more = train("--resume", first["run"], "--epochs", "3", "-w", b)
    assert more["checkpoint_sha256"] == want["checkpoint_sha256"]
    assert more["best"] == want["best"]


def killed(folder):
    """kill -9 at 50 random moments: the workspace stays whole, what was announced is there, the run
    shows as interrupted, and resuming in the end gives the hash of an unbroken run."""
    args = ["mlp", *NET, "--epochs", "40", "--set", "data.rows=1200"]
    want = train(*args, "-w", os.path.join(folder, "whole.trainscope"))["checkpoint_sha256"]
    rng = random.Random(7)
    path, name, kills, hashes = os.path.join(folder, "w.trainscope"), None, 0, []
    while kills < 50:
        job = spawn(*(["--resume", name] if name else args), "-w", path)
        delay, born, saved, lines = rng.uniform(0.02, 0.6), time.monotonic(), 0, []
        os.set_blocking(job.stdout.fileno(), False)
        while time.monotonic() - born < delay and job.poll() is None:
            time.sleep(0.005)
        job.kill()
        finished = job.wait() == 0  # it was faster
        os.set_blocking(job.stdout.fileno(), True)
        for line in job.stdout.read().splitlines():
            if line.endswith("}"):
                lines.append(json.loads(line))
        job.stdout.close()
        if not os.path.exists(path):
            continue
        db = sqlite3.connect(path)
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        db.close()
        runs = run_json("runs", path)
        if not runs:
            continue
        # it got to its end, perhaps killed between that and its exit: counts for nothing, begin the next
        if finished or runs[-1]["state"] == "finished":
            hashes += [line["checkpoint_sha256"] for line in lines if line["event"] == "end"]
            name = None
            path = os.path.join(folder, f"w{time.monotonic_ns()}.trainscope")
            continue
        kills += 1
        run_now = runs[-1]
        assert run_now["state"] == "interrupted", run_now
        name = run_now["uuid"]
        saved = max((e["step"] for e in lines if e["event"] == "saved"), default=0)
        show = run_json("show", path, name)
        if saved:
            assert show["tags"]["train/loss"]["max_step"] >= saved, (saved, show["tags"]["train/loss"])
    end = train("--resume", name, "-w", path) if name else None
    if end:
        hashes.append(end["checkpoint_sha256"])
        latest = run_json("show", path, name, "--view", "latest")
        assert latest["tags"]["train/loss"]["count"] == end["steps"]
    assert hashes and set(hashes) == {want}, hashes


EARLY = """model net
input x float[4]
input t int
y = x -> dense(3)
loss xent = softmax_xent(y, t)
metric accuracy = accuracy(y, t)
train {
  data iris
  optimizer sgd(lr=1e-6)
  epochs 40
  stop early(val.accuracy, patience=4)
}
"""


def resume_early(folder):
    """A run that stopped early says so, and goes on when it is told how."""
    model, path = os.path.join(folder, "net.model"), os.path.join(folder, "w.trainscope")
    with open(model, "w") as f:
        f.write(EARLY)
    first = train(model, "--name", "one", "-w", path)
    before = points(path)
    _, err = run("train", "--resume", "one", "--epochs", "60", "-w", path, "--json", status=1)
    assert "'one' stopped early after epoch 5: no better val.accuracy for 4 epochs" in err, err
    assert "--set stop=none" in err and "stop.patience" in err, err
    assert points(path) == before
    more = train("--resume", "one", "--set", "stop.patience=6", "-w", path)
    assert more["epochs"] == 7 and more["stopped_early"] and more["test_epoch"] == 1, more
    assert more["checkpoint_sha256"] != first["checkpoint_sha256"]
    more = train("--resume", "one", "--set", "stop=none", "--epochs", "9", "-w", path)
    assert more["epochs"] == 9 and not more["stopped_early"], more


def other_settings(folder):
    """What asks for variables that the checkpoint lacks is named; nothing is stored."""
    path = os.path.join(folder, "w.trainscope")
    train("iris", "--steps", "10", "--name", "one", "-w", path)
    for setting, variable in {"ema=0.9": "ema/step", "optimizer=momentum": "momentum", "accumulate=2": "accumulator",
                              "stop=early": "early/best"}.items():
        _, err = run("train", "--resume", "one", "--steps", "20", "--set", setting, "-w", path, status=2)
        assert f"'one' cannot go on with {setting}, which it was not trained with" in err, err
        assert variable in err and "another optimizer, ema, accumulate or stop" in err, err


def no_checkpoint(folder):
    """A run that fails before its first checkpoint has no hash."""
    model = os.path.join(folder, "net.model")
    with open(model, "w") as f:
        f.write(EARLY.replace("sgd(lr=1e-6)", "sgd").replace("dense(3)", "dense(3) -> log -> log").replace(
            "epochs 40", "epochs 40\n  terminate_on_nan true"))
    end = train(model, "-w", os.path.join(folder, "w.trainscope"), status=1)
    assert end["state"] == "failed" and end["checkpoint_sha256"] is None, end


def early(folder):
    """What stopped it, and which weights are left and tested."""
    model, path = os.path.join(folder, "net.model"), os.path.join(folder, "w.trainscope")
    with open(model, "w") as f:
        f.write(EARLY)
    out, _ = run("train", model, "--name", "one", "-w", path)
    assert "\n  stopped early: no better val/accuracy for 4 epochs; weights of epoch 1\n" in out, out
    assert "\n  test figures: weights of epoch 1\n" in out, out
    assert re.search(r"best val/accuracy \S+ at epoch 1\n", out), out
    end = train(model, "-w", path)
    assert end["stopped_early"] is True and end["test_epoch"] == 1 and end["best"]["epoch"] == 1, end
    out, _ = run("train", "iris", "--epochs", "1", "-w", path)
    assert "stopped early" not in out and "test figures" not in out, out


main([same_twice, shapes, bench, plotting, diverging, stopped, longer, killed, early, resume_early,
      other_settings, no_checkpoint])
