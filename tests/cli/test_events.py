#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Event files that are damaged, grow, are replaced, stand side by side: nothing is lost, nothing is read twice."""
import os
import resource
import signal
import sqlite3
import struct
import subprocess
import time

import eventfile as ev
from harness import PROGRAM, Skip, main, run, run_json

NAME = "events.out.tfevents.1000000000.host"


def write(path, data, mode="wb"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode) as f:
        f.write(data)


def bring(folder, logdir="logs"):
    return run_json("import", os.path.join(folder, logdir), "-w", os.path.join(folder, "w.trainscope"))[0]


def rows(folder, where="1", columns="step, value"):
    return [tuple(r.values()) for r in run_json("sql", os.path.join(folder, "w.trainscope"),
                                                f"SELECT {columns} FROM scalars WHERE {where}")]


def steps(folder, where="1"):
    return [r[0] for r in rows(folder, where)]


def one(folder, data, logdir="logs"):
    """One run with these bytes; what came of it."""
    write(os.path.join(folder, logdir, "r", NAME), ev.version() + data)
    return bring(folder, logdir)


def damage(folder):
    """A damaged record is lost alone, with its place told; the rest is read."""
    good = [ev.scalar(i, i) for i in range(10)]
    hurt = bytearray(good[5])
    hurt[-6] ^= 1
    report = one(folder, b"".join(good[:5]) + bytes(hurt) + b"".join(good[6:]))
    offset = len(ev.version()) + sum(map(len, good[:5]))
    assert steps(folder) == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    assert report["damaged"] == 1 and f"at byte {offset}, {len(hurt)} bytes" in report["problems"][0], report
    for name, junk in (("length", bytes([good[5][0] ^ 1]) + good[5][1:]), ("zeros", bytes(4096)), ("few", bytes(12)),
                       ("text", b"a line of a log\n"),
                       ("huge", struct.pack("<QI", 1 << 44, ev.masked_crc(struct.pack("<Q", 1 << 44))) + b"rest"),
                       ("endless", struct.pack("<QI", (1 << 64) - 1, ev.masked_crc(b"\xff" * 8)) + b"rest"),
                       ("proto", ev.record(b"\xff\xff\xff\xff"))):
        sub = os.path.join(folder, name)
        report = one(sub, b"".join(good[:5]) + junk + b"".join(good[5:]))
        want = list(range(10)) if name != "length" else [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        assert steps(sub) == want, (name, steps(sub))
        assert report["damaged"] == 1 and f"at byte {offset}, {len(junk)} bytes" in report["problems"][0], (name, report)


def isolation(folder):
    """One bad file changes no other run."""
    for name in ("a", "c"):
        write(os.path.join(folder, "logs", name, NAME), ev.version() + ev.scalars(range(5)))
    write(os.path.join(folder, "logs", "b", NAME), b"\xff" * 1000)
    write(os.path.join(folder, "logs", "d", NAME), b"")
    os.makedirs(os.path.join(folder, "logs", "e", NAME))  # a folder by that name
    os.symlink("/nowhere", os.path.join(folder, "logs", "a", NAME + ".gone"))
    os.symlink("..", os.path.join(folder, "logs", "a", "loop"))
    report = bring(folder)
    assert {r["run"] for r in run_json("runs", os.path.join(folder, "w.trainscope"))} == {"a", "b", "c", "d"}
    assert steps(folder, "run = 'a'") == steps(folder, "run = 'c'") == list(range(5))
    assert any("/b/" in p for p in report["problems"]) and any(".gone" in p for p in report["problems"])
    assert bring(folder)["files_read"] == 0


def growing(folder):
    """Half a record is waited for; what comes later is read once, in whichever file."""
    file = os.path.join(folder, "logs", "r", NAME)
    late = ev.scalars(range(5, 10), wall=1e9 + 5)
    write(file, ev.version() + ev.scalars(range(5)) + late[:20])
    report = bring(folder)
    assert steps(folder) == [0, 1, 2, 3, 4] and report["damaged"] == 0, report
    write(file, late[20:], "ab")
    bring(folder)
    assert steps(folder) == list(range(10))
    write(file, bytes(100), "ab")  # room that is filled later
    bring(folder)
    with open(file, "r+b") as f:
        f.seek(-100, os.SEEK_END)
        f.truncate()
        f.seek(0, os.SEEK_END)
        f.write(ev.scalars(range(10, 12), wall=1e9 + 10))
    write(file + "2", ev.version(1e9 + 20) + ev.scalars(range(12, 14), wall=1e9 + 20))
    bring(folder)
    assert steps(folder) == list(range(14))
    write(file, ev.scalars([14], wall=1e9 + 30), "ab")  # the older file goes on
    write(file + "2", ev.scalars([15], wall=1e9 + 31), "ab")
    report = bring(folder)
    assert report["files_read"] == 2 and report["records"] == 2
    assert sorted(steps(folder)) == list(range(16))
    assert bring(folder)["files_read"] == 0


def metadata_once(folder):
    """A tag's metadata comes with its first value only, also when another process reads the rest."""
    file = os.path.join(folder, "logs", "r", NAME)
    values = [ev.tensor("words", 7, [1], ev.message(8, b"one"), "text"), ev.tensor("words", 7, [1], ev.message(8, b"two"))]
    write(file, ev.version() + ev.event(0, ev.summary(values[0])))
    bring(folder)
    write(file, ev.event(1, ev.summary(values[1])), "ab")
    bring(folder)
    tags = run_json("show", os.path.join(folder, "w.trainscope"), "r")["tags"]
    assert tags["words"]["kind"] == "text" and tags["words"]["count"] == 2, tags


def replaced(folder):
    """Another file of that name, shorter or longer, hides what the old one gave; a truncated one too."""
    file = os.path.join(folder, "logs", "r", NAME)
    write(file, ev.version() + ev.scalars(range(20), factor=2))
    bring(folder)
    write(file + ".new", ev.version(2e9) + ev.scalars(range(5), wall=2e9, factor=3))
    os.rename(file + ".new", file)
    bring(folder)
    assert rows(folder) == [(i, 3 * i) for i in range(5)]
    assert len(rows(folder, "overtaken IN (0, 1)")) == 25
    write(file, ev.version(3e9) + ev.scalars(range(30), wall=3e9, factor=4))
    bring(folder)
    assert rows(folder) == [(i, 4 * i) for i in range(30)]
    os.remove(file)
    write(file + "9", ev.version(4e9) + ev.scalars([7], wall=4e9))
    bring(folder)
    assert (7, 7) in rows(folder)


def restarts(folder):
    """START hides from its step on; a later file that goes over old steps takes their place; files that are
    written at the same time stand side by side; steps that go back inside a file are all kept."""
    first = ev.version() + ev.scalars(range(10))
    write(os.path.join(folder, "logs", "purged", NAME), first)
    write(os.path.join(folder, "logs", "purged", NAME + "2"),
          ev.version(1e9 + 50) + ev.start(5, 1e9 + 50) + ev.scalars([6, 7], wall=1e9 + 51))
    write(os.path.join(folder, "logs", "inside", NAME),
          ev.version() + ev.start(0, 1e9) + ev.scalars(range(10)) + ev.start(5, 1e9 + 50) + ev.scalars([6, 7], wall=1e9 + 51))
    write(os.path.join(folder, "logs", "resumed", NAME), first)
    write(os.path.join(folder, "logs", "resumed", NAME + "2"),
          ev.version(1e9 + 50) + ev.scalars([5, 6, 7], wall=1e9 + 51) + ev.scalar(0, 1, "text_at_0", 1e9 + 60))
    write(os.path.join(folder, "logs", "side", NAME), first)
    write(os.path.join(folder, "logs", "side", NAME + "2"), ev.version(1e9 + 1) + ev.scalars(range(10), wall=1e9 + 1))
    write(os.path.join(folder, "logs", "epochs", NAME), ev.version() + ev.scalars([0, 1, 2, 3] * 3))
    write(os.path.join(folder, "logs", "zero", NAME), ev.version() + ev.scalars([0] * 6))
    bring(folder)
    assert steps(folder, "run = 'purged'") == steps(folder, "run = 'inside'") == [0, 1, 2, 3, 4, 6, 7]
    assert steps(folder, "run = 'resumed' AND tag = 'loss'") == [0, 1, 2, 3, 4, 5, 6, 7]
    assert len(steps(folder, "run = 'side'")) == 20
    assert len(steps(folder, "run = 'epochs'")) == 12 and len(steps(folder, "run = 'zero'")) == 6


def order(folder):
    """Files of a run are read by the time of their first event, not by name."""
    write(os.path.join(folder, "logs", "r", "events.out.tfevents.999999999.h"),
          ev.version(1e9 + 50) + ev.scalars(range(5, 10), wall=1e9 + 50))
    write(os.path.join(folder, "logs", "r", "events.out.tfevents.1000000000.h"), ev.version() + ev.scalars(range(5)))
    bring(folder)
    assert steps(folder) == list(range(10))


def odd_values(folder):
    """Tags of any bytes, times that are none, tensors of every numeric type, a tag that changes its type."""
    data = ev.scalar(0, 1, b"lo\xffss") + ev.scalar(1, 2, b"lo\xffss")
    data += ev.scalar(3, 4, "nan", float("nan")) + ev.scalar(4, 5, "inf", float("inf"))
    for i, (dtype, payload) in enumerate(((2, ev.double(6, 0.1)), (3, ev.number(7, -3)), (9, ev.number(10, -(1 << 40))),
                                          (19, ev.number(13, 0x3e00)), (14, ev.number(13, 0x3fc0)), (10, ev.number(11, 1)),
                                          (22, ev.number(16, 7)), (2, ev.message(4, struct.pack("<d", 0.1))))):
        data += ev.event(i, ev.summary(ev.tensor(f"t{i}", dtype, [1] if i % 2 else [], payload, "scalars")))
    data += ev.event(0, ev.summary(ev.simple("twice", 1), ev.simple("twice", 3)))
    data += ev.scalar(0, 1, "turns") + ev.event(1, ev.summary(ev.tensor("turns", 7, [], ev.message(8, b"hi"))))
    data += ev.scalar(-3, 9, "steps") + ev.scalar((1 << 63) - 1, 9, "steps") + ev.record(b"") + ev.record(ev.double(1, 5))
    report = one(folder, data)
    assert report["damaged"] == 0, report
    path = os.path.join(folder, "w.trainscope")
    got = {r["tag"]: r["value"] for r in run_json("sql", path, "SELECT * FROM scalars WHERE tag LIKE 't_'")}
    assert got == {"t0": 0.1, "t1": -3, "t2": -(1 << 40), "t3": 1.5, "t4": 1.5, "t5": 1, "t6": 7, "t7": 0.1}, got
    assert len(rows(folder, "tag = x'6c6fff7373'")) == 2
    assert rows(folder, "tag = 'nan'", "wall_time, value") == [(None, 4)]
    assert rows(folder, "tag = 'inf'", "wall_time, value") == [("Infinity", 5)]
    assert [r[1] for r in rows(folder, "tag = 'twice'")] == [1, 3]
    assert steps(folder, "tag = 'steps'") == [-3, (1 << 63) - 1]
    tags = run_json("show", path, "r")["tags"]
    assert tags["turns"]["kind"] == "scalar" and tags["turns (tensor)"]["count"] == 1


def many_runs(folder):
    """Far more files than descriptors."""
    for i in range(300):
        write(os.path.join(folder, "logs", f"run{i}", NAME), ev.version() + ev.scalars(range(3)))
    path = os.path.join(folder, "w.trainscope")
    done = subprocess.run([PROGRAM, "import", os.path.join(folder, "logs"), "-w", path], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
    assert done.returncode == 0 and not done.stderr, done
    assert len(steps(folder)) == 900


def killed(folder):
    """Killed at any time and started again: every point once."""
    for i in range(40):
        write(os.path.join(folder, "logs", f"run{i}", NAME), ev.version() + ev.scalars(range(500)))
    path = os.path.join(folder, "w.trainscope")
    for i in range(12):
        child = subprocess.Popen([PROGRAM, "import", os.path.join(folder, "logs"), "-w", path], stdout=subprocess.DEVNULL)
        time.sleep(0.004 * i)
        child.send_signal(signal.SIGKILL)
        child.wait()
        write(os.path.join(folder, "logs", f"run{i}", NAME), ev.scalars([500 + i], wall=1e9 + 600), "ab")
    bring(folder)
    n = run_json("sql", path, "SELECT run, count(*) AS n, count(DISTINCT step) AS d FROM scalars"
                              " WHERE overtaken IN (0, 1) GROUP BY run")
    assert len(n) == 40 and all(r["n"] == r["d"] for r in n), n
    assert sum(r["n"] for r in n) == 40 * 500 + 12


def read_so_far(path):
    """(offset, size) of the one file that was read; None: nothing is known of it yet."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            return db.execute("SELECT offset, size FROM import_source").fetchone()
    except sqlite3.Error:
        return None


def broken_off(folder):
    """One long file, killed in the middle of it: the rest comes with the next import, although it has not changed."""
    file, path = os.path.join(folder, "logs", "r", NAME), os.path.join(folder, "w.trainscope")
    write(file, ev.version() + ev.scalars(range(1000)) * 500)
    hits = 0
    for _ in range(20):
        for name in (path, path + "-wal", path + "-shm", path + "-lock"):
            if os.path.exists(name):
                os.unlink(name)
        child = subprocess.Popen([PROGRAM, "import", os.path.join(folder, "logs"), "-w", path],
                                 stdout=subprocess.DEVNULL)
        while child.poll() is None and not read_so_far(path):
            time.sleep(0.001)
        child.send_signal(signal.SIGKILL)
        child.wait()
        hits += read_so_far(path)[0] < os.path.getsize(file)
        bring(folder)
        n = run_json("sql", path, "SELECT count(*) AS n FROM scalars WHERE overtaken IN (0, 1)")[0]["n"]
        assert n == 500000, (n, read_so_far(path))
        assert bring(folder)["files_read"] == 0
        if hits == 3:
            return
    if not hits:
        raise Skip("every import was done before it could be killed")


def follow(folder):
    """Files that are written while they are followed; runs that appear and files that grow; Ctrl-C ends it whole."""
    file = os.path.join(folder, "logs", "r", NAME)
    write(file, ev.version() + ev.scalars(range(5)))
    path = os.path.join(folder, "w.trainscope")
    child = subprocess.Popen([PROGRAM, "import", os.path.join(folder, "logs"), "-w", path, "--follow"],
                             stdout=subprocess.PIPE, text=True)

    def wait(want):
        for _ in range(200):
            if os.path.exists(path) and len(steps(folder)) >= want:
                return
            time.sleep(0.05)
        raise AssertionError((want, steps(folder)))

    wait(5)
    _, err = run("import", os.path.join(folder, "logs"), "-w", path, status=1)
    assert "is being written by process" in err, err
    for i in range(5, 25):
        record = ev.scalar(i, i)
        write(file, record[:9], "ab")
        write(file, record[9:], "ab")
    wait(25)
    write(os.path.join(folder, "logs", "deep", "new", NAME), ev.version() + ev.scalars(range(7)))
    wait(32)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert child.returncode == 0 and "with something new" in out, out
    assert sorted(steps(folder)) == sorted(list(range(25)) + list(range(7)))
    assert "--follow takes one" in run("import", "a", "b", "--follow", status=2)[1]


def hparams(folder):
    """torch's add_hparams: a run below the one it is called for, whose hyperparameters are meant for that one too."""
    def value(key, data):
        return message(1, message(1, key.encode()) + message(2, data))

    message = ev.message
    first = ev.message(3, value("lr", ev.double(2, 0.5)) + value("name", message(3, b"adam")))
    data = ev.event(0, ev.summary(message(1, b"_hparams_/session_start_info") + ev.metadata("hparams", first)))
    write(os.path.join(folder, "logs", "a", NAME), ev.version() + ev.scalars(range(3)))
    write(os.path.join(folder, "logs", "a", "1681305136.0421", NAME), ev.version(1e9 + 9) + data + ev.scalar(0, 0.5, "acc"))
    write(os.path.join(folder, "logs", "a", "validation", NAME), ev.version(1e9 + 9) + data)
    bring(folder)
    got = {}
    for row in run_json("sql", os.path.join(folder, "w.trainscope"), "SELECT * FROM hparams"):
        got.setdefault(row["run"], {})[row["key"]] = row["value"]
    want = {"lr": 0.5, "name": "adam"}
    assert got == {"a": want, "a/1681305136.0421": want, "a/validation": want}
    write(os.path.join(folder, "logs2", "b", NAME), ev.version() + ev.scalars(range(3)))
    write(os.path.join(folder, "logs2", "b", "train", NAME), ev.version() + data)
    run("import", os.path.join(folder, "logs2"), "-w", os.path.join(folder, "v.trainscope"))
    rows = run_json("sql", os.path.join(folder, "v.trainscope"), "SELECT DISTINCT run FROM hparams")
    assert [r["run"] for r in rows] == ["b/train"], rows


def embeddings(folder):
    """The projector's files: read once, again when they are appended to or replaced, never from outside."""
    logs = os.path.join(folder, "logs")
    config = os.path.join(logs, "r", "projector_config.pbtxt")
    entry = 'embeddings {\n tensor_name: "%s"\n tensor_path: "%s"\n metadata_path: "%s" # labels\n}\n'
    write(os.path.join(logs, "r", NAME), ev.version() + ev.scalars(range(3)))
    write(os.path.join(logs, "r", "p.tsv"), b"1\t2\t0.1\r\n4\t5\t6")
    write(os.path.join(logs, "r", "l.tsv"), "name\tage\nann\t3\nünal".encode())
    write(os.path.join(folder, "secret.tsv"), b"1\t2\n")
    write(config, (entry % ("x:00003", "p.tsv", "l.tsv")).encode())
    path = os.path.join(folder, "w.trainscope")

    def ask(query):
        return run_json("sql", path, query)

    bring(folder)
    points = ask("SELECT step, type, shape, value FROM samples WHERE tag = 'x:00003' AND kind = 'tensor'")
    assert points == [{"step": 3, "type": "float64", "shape": "[2,3]", "value": "[1,2,0.1,4,5,6]"}], points
    labels = ask("SELECT idx, value, shape FROM samples WHERE kind = 'text'")
    assert [r["value"] for r in labels] == ["name", "age", "ann", "3", "ünal", ""] and labels[0]["shape"] == "[3,2]"
    assert steps(folder) == [0, 1, 2]
    write(config, (entry % ("y", "q.tsv", "l.tsv")).encode(), "ab")
    write(os.path.join(logs, "r", "q.tsv"), b"1 2\n3 4\n")
    bring(folder)
    bring(folder)
    tags = ask("SELECT tag, count(*) AS n FROM samples WHERE kind = 'tensor' GROUP BY 1")
    assert tags == [{"tag": "x:00003", "n": 1}, {"tag": "y", "n": 1}], tags
    write(os.path.join(logs, "r", "bad.tsv"), b"1\t2\nthree\t4\n")
    write(os.path.join(logs, "r", "ragged.tsv"), b"1\t2\n3\n")
    os.symlink("/etc/passwd", os.path.join(logs, "r", "link.tsv"))
    for tensor, words in (("../../secret.tsv", "lies outside"), ("link.tsv", "lies outside"), ("none.tsv", "No such file"),
                          ("bad.tsv", "line 2 is not of numbers"), ("ragged.tsv", "line 2 has 1 numbers, those before 2"),
                          (os.path.join(folder, "secret.tsv"), "lies outside"), (".", "no ordinary file")):
        write(config, (entry % ("z", tensor, "l.tsv")).encode())
        _, err = run("import", logs, "-w", os.path.join(folder, "v.trainscope"))
        assert words in err and "the embedding 'z'" in err, (tensor, err)
    write(config, b"embeddings {\n tensor_name: \"never ends\n}\n")
    _, err = run("import", logs, "-w", path)
    assert "line 2 is not as a projector's configuration is written" in err, err
    assert any("line 2" in n["text"] for n in run_json("show", path, "r")["notes"])


def no_events(folder):
    """What is no event file is refused before a workspace is made for it."""
    path, text = os.path.join(folder, "w.trainscope"), os.path.join(folder, "text")
    write(text, b"some words and no record" * 10)
    os.mkfifo(os.path.join(folder, "pipe"))
    run("train", "iris", "--epochs", "1", "-w", os.path.join(folder, "a.trainscope"))
    for what, words in (("", "there is no folder or file ''"), ("nowhere", "there is no folder or file"),
                        (text, "is no event file"), (os.path.join(folder, "pipe"), "it is not a file"),
                        (os.path.join(folder, "a.trainscope"), "'trainscope merge' takes in")):
        err = run("import", what, "-w", path, status=1)[1]
        assert words in err and not os.path.exists(path), (what, err)


def words(folder):
    """What cannot be done is said."""
    assert "no folder or file" in run("import", os.path.join(folder, "none"), "-w", os.path.join(folder, "w"), status=1)[1]
    os.makedirs(os.path.join(folder, "empty"))
    assert "no event file" in run("import", os.path.join(folder, "empty"), "-w", os.path.join(folder, "w"), status=1)[1]
    write(os.path.join(folder, "logs", "bad\nname\x01" + "x" * 200, NAME), ev.version() + ev.scalars([1]))
    bring(folder)
    assert steps(folder) == [1]


if __name__ == "__main__":
    main([no_events, damage, isolation, growing, metadata_once, replaced, restarts, order, odd_values, many_runs, killed, broken_off, follow, hparams,
          embeddings, words])
