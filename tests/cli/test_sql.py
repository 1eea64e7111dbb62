#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plain tables: `sql`, and `export` into what other programs read."""
import csv
import io
import json
import os
import signal
import sqlite3
import struct
import subprocess
import time

from harness import PROGRAM, main, points, run, run_json, train


def bits(value):
    value = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}.get(value, value)
    return struct.unpack("<q", struct.pack("<d", float(value)))[0]


def sql(path, query, status=0):
    out, err = run("sql", path, query, "--json", status=status)
    return json.loads(out) if status == 0 else err


def make(folder):
    """Two runs; the second diverges: its losses are NaN."""
    path = os.path.join(folder, "w.trainscope")
    train("iris", "-w", path, "--name", "first", "--epochs", "5")
    model = os.path.join(folder, "wild.model")
    with open(model, "w") as f:
        f.write("model wild\ninput x float[4]\ninput t int\ny = x -> dense(8, relu) -> dense(3)\n"
                "loss l = softmax_xent(y, t)\n"
                "train {\n  data iris\n  optimizer sgd(lr=1e6)\n  batch 16\n  epochs 3\n}\n")
    run("train", model, "-w", path, "--name", 'a"b",c', status=None)
    return path


def scalars(folder):
    """Every bit of every point, as the independent decoder reads them."""
    path = make(folder)
    for name in ("first", 'a"b",c'):
        got = {}
        for row in sql(path, "SELECT * FROM scalars WHERE run = '%s'" % name):
            assert row["run"] == name
            if row["tag"] != "steps_per_s":
                got.setdefault((row["tag"], row["step"]), []).append(row["bits"])
        want = points(path)
        if name == "first":
            only = sql(path, "SELECT count(*) AS n, sum(value IS NULL) AS nan FROM scalars WHERE run = 'first'")[0]
            assert only["n"] > 50 and only["nan"] == 0
        total = {k: [struct.unpack("<q", bytes.fromhex(b)[::-1])[0] for b in v] for k, v in want.items()}
        for key, values in got.items():
            assert all(v in total[key] for v in values), key
    n = sum(len(v) for v in points(path).values())
    assert sql(path, "SELECT count(*) AS n FROM scalars WHERE tag <> 'steps_per_s'")[0]["n"] == n
    nan = sql(path, "SELECT value, bits FROM scalars WHERE run LIKE 'a%' AND tag = 'train/loss' AND value IS NULL")
    assert nan and all(row["value"] is None and row["bits"] & 0x7ff0000000000000 == 0x7ff0000000000000 for row in nan)


def other_tables(folder):
    path = make(folder)
    show = run_json("show", path, "first")
    runs = sql(path, "SELECT * FROM runs WHERE run = 'first'")
    assert len(runs) == 1 and runs[0]["uuid"] == show["uuid"] and runs[0]["state"] == "finished"
    hparams = {r["key"]: r["value"] for r in sql(path, "SELECT * FROM hparams WHERE run = 'first'")}
    assert hparams["optimizer.lr"] == show["hparams"]["optimizer.lr"] and hparams["optimizer"] == "adam"
    assert set(hparams) == set(show["hparams"])
    rows = sql(path, "SELECT * FROM histograms WHERE run = 'first' AND tag = 'weights/dense/kernel'")
    assert len(rows) == show["tags"]["weights/dense/kernel"]["count"]
    buckets = json.loads(rows[0]["buckets"])
    assert sum(b[2] for b in buckets) == rows[0]["count"] and buckets[0][0] == rows[0]["min"]
    joined = sql(path, "SELECT r.run, count(*) AS n FROM runs r JOIN scalars s ON s.run = r.run"
                       " WHERE s.tag = 'lr' GROUP BY 1 ORDER BY 1")
    assert [row["run"] for row in joined] == ['a"b",c', "first"]
    assert sql(path, "SELECT count(*) AS n FROM scalars WHERE run = 'FIRST' COLLATE NOCASE")[0]["n"] > 50
    assert sql(path, "SELECT count(*) AS n FROM scalars WHERE run = 7")[0]["n"] == 0


def overtaken(folder):
    """A killed run that goes on from its checkpoint: what it had written after that is kept and left out."""
    path = os.path.join(folder, "w.trainscope")
    args = ["--data", "synthetic", "--set", "data.rows=3000", "--set", "data.features=784", "--set", "data.classes=10"]
    child = subprocess.Popen([PROGRAM, "train", "mlp", *args, "--epochs", "200", "--name", "k", "-w", path, "--json"],
                             stdout=subprocess.PIPE, text=True)
    saved = 0
    for line in child.stdout:
        event = json.loads(line)
        if event["event"] == "saved" and event["step"] > 30:
            saved += 1
            if saved == 2:
                break
    time.sleep(0.1)
    child.send_signal(signal.SIGKILL)
    child.wait()
    train("--resume", "k", "--steps", "400", "-w", path)
    shown = sql(path, "SELECT step FROM scalars WHERE tag = 'train/loss'")
    hidden = sql(path, "SELECT step, attempt FROM scalars WHERE tag = 'train/loss' AND overtaken = 1")
    both = sql(path, "SELECT count(*) AS n FROM scalars WHERE tag = 'train/loss' AND overtaken IN (0, 1)")[0]["n"]
    assert both == len(shown) + len(hidden)
    steps = [row["step"] for row in shown]
    assert steps == sorted(set(steps)), "one point a step"
    assert all(row["attempt"] == 0 for row in hidden)
    stored = [k for k in points(path) if k[0] == "train/loss"]
    assert len(stored) == len(steps)
    out, _ = run("export", path)
    rows = [r for r in csv.DictReader(io.StringIO(out)) if r["tag"] == "train/loss"]
    assert len(rows) == both and sum(int(r["overtaken"]) for r in rows) == len(hidden)


def read_only(folder):
    path = make(folder)
    for query in ("DELETE FROM scalars", "DROP TABLE runs", "UPDATE runs SET run = 'x'", "ATTACH 'x' AS x", "SELECT",
                  "SELECT * FROM nothing"):
        assert "SQL: " in sql(path, query, status=1)
    assert run("sql", path, " -- nothing\n;")[0] == ""
    assert run_json("runs", path)
    out, _ = run("sql", path, "SELECT run, state FROM runs; SELECT 1 AS one", "--csv")
    lines = out.splitlines()
    assert lines[:2] == ["run,state", "first,finished"] and lines[2].startswith('"a""b"",c",') and lines[3:] == ["one", "1"]
    assert "--json or --csv" in run("sql", path, "SELECT 1", "--json", "--csv", status=2)[1]


def exports(folder):
    """CSV, JSON and SQLite hold the same points, with all digits."""
    path = make(folder)
    want = sql(path, "SELECT run, tag, step, wall_time, bits FROM scalars")
    table = list(csv.DictReader(io.StringIO(run("export", path, "--to", "csv")[0])))
    objects = json.loads(run("export", path, "--to", "json")[0])
    plain = os.path.join(folder, "plain.db")
    run("export", path, "--to", "sqlite", "-o", plain)
    with sqlite3.connect(plain) as db:
        rows = db.execute("SELECT run, tag, step, wall_time, value, bits FROM scalars").fetchall()
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("SELECT count(*) FROM hparams WHERE run = 'first'").fetchone()[0] > 5
        assert db.execute("SELECT count(*) FROM histograms").fetchone()[0] > 0
    assert len(want) == len(table) == len(objects) == len(rows) > 100
    for w, c, o, r in zip(want, table, objects, rows):
        key = (w["run"], w["tag"], w["step"], w["wall_time"])
        assert key == (c["run"], c["tag"], int(c["step"]), float(c["wall_time"]))
        assert key == (o["run"], o["tag"], o["step"], o["wall_time"]) == r[:4]
        assert w["bits"] == int(c["bits"]) == o["bits"] == r[5]
        if w["bits"] & 0x7ff0000000000000 != 0x7ff0000000000000:
            assert bits(c["value"]) == bits(o["value"]) == bits(r[4]) == w["bits"]
        elif w["bits"] & 0xfffffffffffff:
            assert c["value"] == o["value"] == "NaN" and r[4] is None
    one = json.loads(run("export", path, "first", "--to", "json")[0])
    assert {row["run"] for row in one} == {"first"}
    assert "no run 'nobody'" in run("export", path, "nobody", status=2)[1]
    assert "needs a place" in run("export", path, "--to", "sqlite", status=2)[1]
    assert "cannot write" in run("export", path, "-o", "/nowhere/x", status=1)[1]
    with open(plain, "rb") as f:
        before = f.read()
    run("export", os.path.join(folder, "missing"), "--to", "sqlite", "-o", plain, status=1)
    with open(plain, "rb") as f:
        assert f.read() == before


if __name__ == "__main__":
    main([scalars, other_tables, overtaken, read_only, exports])
