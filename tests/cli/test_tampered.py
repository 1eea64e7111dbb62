#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Workspaces that somebody has changed with SQL: every command answers or refuses, and none of them breaks."""
import os
import shutil
import sqlite3
import subprocess

import eventfile as ev
from harness import PROGRAM, main, run, run_json, train
from test_events import NAME, write

# What no writer of ours leaves behind.  Random bytes are another test's (fuzz-workspaces).
EDITS = [
    "UPDATE run SET parent_run_id = run_id",
    "UPDATE run SET name = printf('%.*c', 1000000, 'x') WHERE run_id = 1",
    "UPDATE run SET created_us = 9223372036854775807, ended_us = -9223372036854775808",
    "UPDATE run SET created_us = -9223372036854775808",
    "UPDATE run SET state = 77",
    "UPDATE run SET model_text = printf('%.*c', 100000, '(')",
    "UPDATE attempt SET ordinal = -5 WHERE ordinal = 0",
    "UPDATE attempt SET ordinal = 2147483647 WHERE ordinal = 0",
    "UPDATE attempt SET resume_step = -9223372036854775808, started_us = 9223372036854775807",
    "UPDATE series SET kind = 99",
    "UPDATE series SET kind = 0",
    "UPDATE series SET kind = 3",
    "UPDATE series SET next_seq = 9223372036854775807, lod_seq = 9223372036854775807",
    "UPDATE series SET next_seq = -1",
    "UPDATE chunk SET n = 65536",
    "UPDATE chunk SET codec = 7",
    "UPDATE chunk SET seq = seq + 1",
    "UPDATE item SET codec = codec % 6 + 1",
    "UPDATE item SET seq = seq * 1000000000",
    "DELETE FROM attempt",
    "DELETE FROM tag",
    "DELETE FROM blob_part",
    "UPDATE blob SET parts = 1000000000, size = 1000000000000",
    "UPDATE graph SET format = 9",
    "UPDATE hparam SET kind = 9",
    "UPDATE hparam SET kind = 3",
    "UPDATE checkpoint SET path = '../../../../etc/passwd'",
    "UPDATE checkpoint SET path = NULL, blob_id = (SELECT max(blob_id) FROM blob)",
    "UPDATE checkpoint SET sha256 = zeroblob(3), size = -1",
    "PRAGMA user_version = 9",
    "PRAGMA application_id = 1",
    "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
    "CREATE VIEW scalars AS SELECT 1",
    "DROP TABLE lod",
    "UPDATE import_source SET offset = -5, path = '/nowhere'",
    "INSERT INTO flush_log VALUES(99, 1, 0, 5, 0, randomblob(50))",
]
QUERY = ("SELECT count(*), sum(value) FROM scalars WHERE overtaken IN (0, 1); SELECT * FROM histograms;"
         " SELECT * FROM samples; SELECT * FROM pr_curves; SELECT * FROM runs; SELECT * FROM hparams")


def make(folder):
    path = os.path.join(folder, "seed.trainscope")
    train("iris", "-w", path, "--name", "iris", "--epochs", "3")
    text = ev.event(0, ev.summary(ev.tensor("words", 7, [1], ev.message(8, b"long " * 2000), "text")))
    curve = ev.event(0, ev.summary(ev.tensor("pr", 4, [6, 2], ev.message(4, bytes(12)), "pr_curves")))
    write(os.path.join(folder, "logs", "r", NAME), ev.version() + ev.scalars(range(100)) + text + curve)
    write(os.path.join(folder, "logs", "r", NAME + "2"), ev.version(2e9) + ev.scalars(range(50, 150), wall=2e9))
    run("import", os.path.join(folder, "logs"), "-w", path)
    return path


def remove(path):
    for name in (path, path + "-wal", path + "-shm", path + "-lock"):
        if os.path.exists(name):
            os.unlink(name)


def tampered(folder):
    seed, path = make(folder), os.path.join(folder, "e.trainscope")
    other, out = os.path.join(folder, "m.trainscope"), os.path.join(folder, "out")
    commands = [["runs", path], ["runs", path, "--json"], ["show", path, "iris", "--json"], ["show", path, "logs/r"],
                ["show", path, "r", "--view", "latest"], ["sql", path, QUERY, "--json"],
                ["export", path, "--to", "tfevents", "-o", out], ["export", path, "--to", "sqlite", "-o", out + ".db"],
                ["pack", path, "-o", other + ".packed", "--checkpoints", "all"], ["merge", path, "-w", other],
                ["inspect", path], ["inspect", path, "--json"],
                ["train", "--resume", "iris", "-w", path, "--epochs", "4", "-q"],
                ["import", os.path.join(folder, "logs"), "-w", path]]
    for edit in EDITS:
        remove(path)
        remove(other)
        shutil.copy(seed, path)
        with sqlite3.connect(path) as db:
            try:
                db.executescript(f"PRAGMA foreign_keys = OFF; {edit};")
            except sqlite3.IntegrityError:
                continue  # the schema itself forbids it
        for command in commands:
            shutil.rmtree(out, ignore_errors=True)
            done = subprocess.run([PROGRAM, *command], capture_output=True, text=True, errors="replace", timeout=120)
            assert done.returncode in (0, 1, 2), (edit, command, done.returncode, done.stderr[-2000:])
            for word in ("CRITICAL", "WARNING **", "Sanitizer", "runtime error"):
                assert word not in done.stderr, (edit, command, done.stderr[-2000:])
            assert done.returncode == 0 or done.stderr.strip(), (edit, command)


# What `inspect` says of each.
NAMED = [
    ("UPDATE chunk SET data = zeroblob(length(data)) WHERE rowid = 1", "points 0 to "),
    ("DELETE FROM chunk WHERE rowid = 1", "there are points up to 0 of "),
    ("UPDATE chunk SET seq = 5 WHERE rowid = 1", "points 0 to 4 are missing"),
    ("UPDATE lod SET data = zeroblob(length(data))", "level of detail 1, row 0"),
    ("UPDATE item SET crc = crc + 1 WHERE inline_data IS NOT NULL", "sample 0: its checksum does not fit"),
    ("DELETE FROM item WHERE rowid IN (SELECT min(rowid) FROM item)", "samples of "),
    ("UPDATE blob SET complete = 0", "its bytes are missing"),
    ("UPDATE blob SET hash = zeroblob(32) WHERE blob_id = 1", "blob 1 is not what its hash says"),
    ("UPDATE blob_part SET data = zeroblob(length(data))", "a part of blob 1 is broken"),
    ("INSERT INTO flush_log VALUES(99, 1, 0, 5, 0, randomblob(50))", "row 99 of the flush log"),
    ("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'run_by_parent'", ""),
]


def inspected(folder):
    """The damage is named with its run, tag and place, and only it."""
    seed, path = make(folder), os.path.join(folder, "e.trainscope")
    write(os.path.join(folder, "long", "r", NAME), ev.version() + ev.scalars(range(5000)))
    run("import", os.path.join(folder, "long"), "-w", seed)
    whole = run_json("inspect", seed)[0]
    assert whole["damage"] == [] and whole["runs"] == 3 and whole["blobs"] > 0, whole
    count = run_json("sql", seed, "SELECT count(*) AS n FROM scalars WHERE overtaken IN (0, 1)")[0]["n"]
    assert whole["points"] == count, (whole, count)
    for edit, words in NAMED:
        remove(path)
        shutil.copy(seed, path)
        with sqlite3.connect(path) as db:
            db.executescript(f"PRAGMA foreign_keys = OFF; {edit};")
        done = subprocess.run([PROGRAM, "inspect", path], capture_output=True, text=True, timeout=120)
        damage = [line for line in done.stdout.splitlines() if line.startswith("  damage: ")]
        assert done.returncode == 1 and (not words or any(words in line for line in damage)), (edit, done)


def blanked(folder):
    """Each page full of zeros: whoever reads it names the file and what is wrong with it."""
    seed, path = make(folder), os.path.join(folder, "e.trainscope")
    with open(seed, "rb") as f:
        data = f.read()
    for page in range(1, len(data) // 8192, 2):
        remove(path)
        with open(path, "wb") as f:
            f.write(data[:page * 8192] + bytes(8192) + data[(page + 1) * 8192:])
        for command in (["export", path], ["sql", path, "SELECT count(*) FROM samples"], ["runs", path]):
            done = subprocess.run([PROGRAM, *command], capture_output=True, text=True, errors="replace", timeout=120)
            assert done.returncode in (0, 1) and "out of memory" not in done.stderr, (page, command, done.stderr)
            assert done.returncode == 0 or "e.trainscope" in done.stderr, (page, command, done.stderr)


if __name__ == "__main__":
    main([tampered, inspected, blanked])
