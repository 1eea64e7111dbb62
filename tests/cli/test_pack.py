#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs sent as one file and taken in elsewhere, once."""
import os
import shutil
import signal
import sqlite3
import subprocess
import time

import eventfile as ev
from harness import PROGRAM, main, points, run, run_json, train
from test_events import NAME, write


def rows(path):
    """Every point and sample of every run, by its uuid, whatever the ids are."""
    with sqlite3.connect(path) as db:
        items = db.execute("SELECT hex(r.uuid), t.name, s.kind, i.seq, a.ordinal, i.step, i.wall, i.meta, i.inline_data,"
                           " b.hash FROM item i JOIN series s USING(series_id) JOIN run r USING(run_id)"
                           " JOIN tag t USING(tag_id) JOIN attempt a USING(attempt_id) LEFT JOIN blob b USING(blob_id)"
                           ).fetchall()
        graphs = db.execute("SELECT hex(uuid), g.name, hash FROM graph g JOIN run USING(run_id) JOIN blob USING(blob_id)"
                            ).fetchall()
        hparams = db.execute("SELECT hex(uuid), key, h.kind, i, bits, t FROM hparam h JOIN run USING(run_id)").fetchall()
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert not db.execute("PRAGMA foreign_key_check").fetchall()
    return points(path), sorted(items, key=repr), sorted(graphs), sorted(hparams)


def make(folder):
    path = os.path.join(folder, "a.trainscope")
    train("iris", "-w", path, "--name", "one", "--epochs", "5")
    train("iris", "-w", path, "--name", "two", "--epochs", "5", "--seed", "2")
    words = ev.event(0, ev.summary(ev.tensor("words", 7, [1], ev.message(8, b"long " * 2000), "text")))
    write(os.path.join(folder, "logs", "three", NAME), ev.version() + ev.scalars(range(20)) + words)
    write(os.path.join(folder, "logs", "three", "sub", NAME), ev.version() + ev.scalars(range(3)))
    run("import", os.path.join(folder, "logs"), "-w", path)
    return path


def there(folder):
    """Packed and merged: the same rows; once more: nothing changes; the file is plain and complete."""
    path, packed, other = make(folder), os.path.join(folder, "p.trainscope"), os.path.join(folder, "b.trainscope")
    run("pack", path, "-o", packed)
    with open(packed, "rb") as f:
        assert f.read(20)[18:20] == b"\x01\x01"  # a rollback journal
    assert not [f for f in os.listdir(folder) if f.startswith("p.trainscope") and f != "p.trainscope"]
    train("iris", "-w", other, "--name", "one", "--epochs", "2")
    before = points(other, "one")
    out, _ = run("merge", packed, "-w", other)
    assert "4 new runs" in out, out
    again, _ = run("merge", packed, path, "-w", other)
    assert "0 new runs, 0 that have grown, 4 known" in again, again
    names = {r["run"]: r for r in run_json("runs", other)}
    assert set(names) == {"one", "one (2)", "two", "three", "three/sub"}, set(names)
    assert points(other, "one") == before
    with sqlite3.connect(other) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("DELETE FROM run WHERE name = 'one'")
        parent = db.execute("SELECT p.name FROM run r JOIN run p ON p.run_id = r.parent_run_id WHERE r.name = 'three/sub'")
        assert parent.fetchone() == ("three",)
    assert rows(other) == rows(path)
    assert run_json("show", path, "two")["hparams"] == run_json("show", other, "two")["hparams"]


def some(folder):
    """Only the runs that were asked for, with nothing of the others."""
    path, packed = make(folder), os.path.join(folder, "p.trainscope")
    run("pack", path, "two", "-o", packed, "--checkpoints", "none")
    assert [r["run"] for r in run_json("runs", packed)] == ["two"]
    assert points(packed) == points(path, "two")
    with sqlite3.connect(packed) as db:
        assert db.execute("SELECT count(*) FROM tag WHERE name = 'words'").fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM blob").fetchone()[0] == db.execute("SELECT count(*) FROM graph").fetchone()[0]
    os.chmod(folder, 0o555)
    try:
        assert run_json("show", packed, "two")["state"] == "finished"
    finally:
        os.chmod(folder, 0o755)
    assert "there is no run 'none'" in run("pack", path, "none", "-o", packed, status=2)[1]
    assert "which file" in run("pack", path, status=2)[1]
    assert [r["run"] for r in run_json("runs", packed)] == ["two"]


def checkpoints(folder):
    """The bytes of checkpoints travel inside."""
    path, packed = make(folder), os.path.join(folder, "p.trainscope")
    want = {c["sha256"] for c in run_json("show", path, "one")["checkpoints"]}
    run("pack", path, "one", "-o", packed, "--checkpoints", "all")
    with sqlite3.connect(packed) as db:
        got = {row[0].lower() for row in db.execute("SELECT hex(b.hash) FROM checkpoint JOIN blob b USING(blob_id)")}
        assert db.execute("SELECT count(*) FROM checkpoint WHERE path IS NOT NULL").fetchone()[0] == 0
    assert got == want and got
    # taken in elsewhere they are files again, and a training goes on from them to the same bits; so does one of the
    # packed file itself, once it is written to
    other = os.path.join(folder, "b.trainscope")
    out, _ = run("merge", packed, "-w", other)
    assert f"; {len(got)} checkpoints unpacked" in out, out
    for place in (path, other, packed):
        assert all(c["exists"] or place == packed for c in run_json("show", place, "one")["checkpoints"]), place
        run("train", "--resume", "one", "-w", place, "--epochs", "7")
    last = [run_json("show", place, "one")["checkpoints"][-1] for place in (path, other, packed)]
    assert last[0]["step"] == 42 and len({c["sha256"] for c in last}) == 1, last
    assert points(other, "one") == points(path, "one")
    with sqlite3.connect(packed) as db:
        assert db.execute("SELECT count(*) FROM checkpoint WHERE path IS NULL").fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM blob").fetchone()[0] == db.execute("SELECT count(*) FROM graph").fetchone()[0]
    # damaged inside: said, and left alone
    os.unlink(packed)
    run("pack", path, "one", "-o", packed, "--checkpoints", "all")
    with sqlite3.connect(packed) as db:
        db.execute("UPDATE blob_part SET data = zeroblob(length(data)) WHERE blob_id = (SELECT blob_id FROM checkpoint LIMIT 1)")
    _, err = run("merge", packed, "-w", os.path.join(folder, "c.trainscope"))
    assert "1 packed checkpoints are damaged" in err, err


def growing(folder):
    """A run that was merged while it trained comes again when it has more; its note here stays."""
    path, packed, other = (os.path.join(folder, n) for n in ("a.trainscope", "p.trainscope", "b.trainscope"))
    args = ["--data", "synthetic", "--set", "data.rows=3000", "--set", "data.features=784", "--set", "data.classes=10"]
    child = subprocess.Popen([PROGRAM, "train", "mlp", *args, "--epochs", "500", "--name", "k", "-w", path, "--json"],
                             stdout=subprocess.PIPE, text=True)
    for line in child.stdout:
        if '"saved"' in line:
            break
    run("pack", path, "-o", packed)
    assert "1 new runs" in run("merge", packed, "-w", other)[0]
    first = len(points(other))
    with sqlite3.connect(other) as db:
        db.execute("UPDATE run SET note = 'mine'")
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    assert "1 that have grown" in run("merge", path, "-w", other)[0]
    assert points(other) == points(path) and len(points(other)) > first
    assert run_json("show", other, "k")["note"] == "mine"
    assert "0 that have grown, 1 known" in run("merge", packed, "-w", other)[0]


def trash(folder):
    """Into the trash and back; for good in pieces, with its files; killed meanwhile, the rest is whole."""
    path = make(folder)
    before = rows(path)
    run("trash", path, "one", "three")
    assert {r["run"] for r in run_json("runs", path)} == {"two", "three/sub"}
    run("trash", path, "two", "three/sub")
    assert "--trash lists them" in run("runs", path)[0]
    run("trash", path, "one", "two", "three", "three/sub", "--undo")
    assert rows(path) == before
    err = run("trash", path, "one", "--purge", status=1)[1]
    assert "no run 'one' is in the trash" in err, err
    size, files = os.path.getsize(path), len(os.listdir(path + ".d"))
    run("trash", path, "one", "three")
    run("trash", path, "one", "three", "--purge")
    assert "no run 'one'" in run("show", path, "one", status=2)[1]
    assert os.path.getsize(path) < size and len(os.listdir(path + ".d")) == files - 1
    after = rows(path)
    assert after[1] and all(row in before[1] for row in after[1])
    assert {k: v for k, v in points(path, "two").items()}
    # two of one name: what is asked for is what lies there, and a purge that was broken off can be repeated
    run("trash", path, "two")
    train("iris", "-w", path, "--name", "two", "--epochs", "2")
    trashed = [r for r in run_json("runs", path, "--trash") if "trashed" in r]
    assert [r["run"] for r in trashed] == ["two"]
    assert "is in the trash" in run("pack", path, trashed[0]["uuid"], "-o", "x", status=2)[1]
    run("trash", path, "three/sub")
    assert "no run 'gone' is in the trash" in run("trash", path, "gone", "three/sub", "--purge", status=1)[1]
    assert "is back as 'two (2)'" in run("trash", path, "two", "--undo")[0]
    assert len(run_json("runs", path)) == 2 and not [r for r in run_json("runs", path, "--trash") if "trashed" in r]
    assert "no run 'two' is in the trash" in run("trash", path, "two", "--undo", status=1)[1]
    assert "which runs?" in run("trash", path, status=2)[1]
    run("trash", path, *[r["uuid"] for r in run_json("runs", path)][1:])
    run("trash", path, "--purge")
    assert len(run_json("runs", path, "--trash")) == 1
    after = rows(path)
    # kills at any time
    write(os.path.join(folder, "big", "big", NAME), ev.version() + ev.scalars(range(30000)))
    run("import", os.path.join(folder, "big"), "-w", path)
    run("trash", path, "big")
    for i in range(10):
        child = subprocess.Popen([PROGRAM, "trash", path, "big", "--purge"], stderr=subprocess.DEVNULL)
        time.sleep(0.002 * i)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert rows(path)[1:] == after[1:]
    child = subprocess.run([PROGRAM, "trash", path, "big", "--purge"], check=False, stderr=subprocess.DEVNULL)
    assert not [r for r in run_json("runs", path, "--trash") if r["run"] == "big"]


def overwritten(folder):
    """Nothing is written over a workspace, and a text takes its name when it is whole."""
    path, other, text = make(folder), os.path.join(folder, "b.trainscope"), os.path.join(folder, "points.csv")
    train("iris", "-w", other, "--name", "mine", "--epochs", "2")
    before, mine = rows(path), rows(other)
    for target in (path, other):
        for command in (["pack", path, "-o", target], ["export", path, "-o", target],
                        ["export", path, "--to", "json", "-o", target], ["export", path, "--to", "sqlite", "-o", target]):
            assert "is not overwritten" in run(*command, status=1)[1], command
    assert rows(path) == before and rows(other) == mine
    run("export", path, "-o", text)
    whole = open(text).read()
    assert run("export", path, "-o", "-")[0] == whole.replace("\r\n", "\n")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE chunk SET data = zeroblob(length(data)) WHERE rowid = (SELECT max(rowid) FROM chunk)")
    run("export", path, "-o", text, status=1)
    assert open(text).read() == whole and not os.path.exists(text + ".part")
    logs = os.path.join(folder, "logs-out")
    run("export", path, "--to", "tfevents", "-o", logs, status=1)
    assert not os.path.exists(logs) and not os.path.exists(logs + ".part")


def refused(folder):
    """What is no workspace changes nothing."""
    path = make(folder)
    bad = os.path.join(folder, "bad.trainscope")
    with open(bad, "wb") as f:
        f.write(b"x" * 5000)
    before = rows(path)
    assert "bad.trainscope" in run("merge", bad, "-w", path, status=1)[1]
    shutil.copy(path, bad)
    with sqlite3.connect(bad) as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END")
    run("merge", bad, "-w", path, status=1)
    assert rows(path) == before


if __name__ == "__main__":
    main([there, some, checkpoints, growing, trash, overwritten, refused])
