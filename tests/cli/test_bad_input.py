#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bad input: a clear message, the right exit status, nothing lost."""
import gzip
import os
import shutil
import sqlite3
import struct
import subprocess

import eventfile as ev
from harness import PROGRAM, Skip, main, points, run, run_json, train

MODEL = """model m
input x float[4]
input t int
y = x -> dense(8, relu) -> dense(3)
loss xent = softmax_xent(y, t)
metric accuracy = accuracy(y, t)
train {
  data iris
  epochs 2
}
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)
    return path


def expect(folder, args, status, *words):
    _, err = run(*args, status=status, cwd=folder)
    for word in words:
        assert word in err, f"{args}: {word!r} is not in {err!r}"
    assert "CRITICAL" not in err and "WARNING" not in err, err


def usage(folder):
    expect(folder, ["train", "iris", "--bogus"], 2, "--bogus", "usage: trainscope train")
    expect(folder, ["bogus"], 2, "unknown command 'bogus'")
    expect(folder, ["train"], 2, "MODEL or a run to --resume")
    expect(folder, ["train", "iris", "extra"], 2, "'extra' is one too many")
    expect(folder, ["show", "x"], 2, "'show' is missing an argument")
    expect(folder, ["show", "x", "--", "-dash"], 1, "cannot open")
    expect(folder, ["train", "iriss"], 2, "did you mean 'iris'")
    expect(folder, ["train", "iris", "--epochs", "many"], 2, "epochs", "'many'")
    expect(folder, ["train", "iris", "--set", "lr"], 2, "KEY=VALUE", "'lr'")
    expect(folder, ["train", "iris", "--set", "optimizer.learning=1"], 2, "adam has no parameter 'learning'", "lr")
    expect(folder, ["train", "iris", "--data", "irs"], 2, "unknown data set 'irs'", "iris")
    expect(folder, ["train", "iris", "--set", "optimizer.lr=fast"], 2, "lr must be a number", "fast")
    assert not os.path.exists(os.path.join(folder, "runs.trainscope")) or run_json(
        "runs", os.path.join(folder, "runs.trainscope")) == []


def missing_data(folder):
    model = write(folder, "f.model", MODEL.replace("float[4]", "float[784]").replace(
        "data iris", 'data fashion_mnist(dir="/nowhere/at/all")'))
    expect(folder, ["train", model], 1, "dataset-fashion-mnist", "/nowhere/at/all")
    assert run_json("runs", os.path.join(folder, "runs.trainscope")) == []


def idx(folder, images=None, labels=None):
    good = struct.pack(">IIII", 0x803, 30, 28, 28) + bytes(30 * 784)
    for part in ("train", "t10k"):
        write(folder, f"{part}-images-idx3-ubyte.gz", gzip.compress(images if images is not None else good))
        write(folder, f"{part}-labels-idx1-ubyte.gz",
              gzip.compress(labels if labels is not None else struct.pack(">II", 0x801, 30) + bytes(30)))
    return write(folder, "f.model", MODEL.replace("float[4]", "float[784]").replace("dense(3)", "dense(10)").replace(
        "data iris", f'data fashion_mnist(dir="{folder}", valid=5)'))


def broken_idx(folder):
    run("train", idx(folder), "--quiet", cwd=folder)
    expect(folder, ["train", idx(folder, images=struct.pack(">IIII", 0x803, 30, 28, 28) + bytes(1000))], 1,
           "train-images-idx3-ubyte.gz", "1016", "23536")
    expect(folder, ["train", idx(folder, labels=struct.pack(">II", 0x801, 29) + bytes(29))], 1, "30", "29")
    expect(folder, ["train", idx(folder, labels=struct.pack(">II", 0x801, 30) + bytes([200] * 30))], 1, "200")
    model = idx(folder)
    write(folder, "train-images-idx3-ubyte.gz", b"\x1f\x8b\x08\x00not gzip at all")
    expect(folder, ["train", model], 1, "train-images-idx3-ubyte.gz")


def broken_csv(folder):
    rows = "a,b,c,d,kind\n" + "".join(f"{i},2,3,4,k{i % 3}\n" for i in range(60))
    csv = write(folder, "t.csv", rows)
    model = write(folder, "c.model", MODEL.replace("data iris", f'data csv("{csv}")'))
    run("train", model, "--quiet", cwd=folder)
    write(folder, "t.csv", rows.replace("\n17,2,3,4", "\n17,2,three,4"))
    expect(folder, ["train", model], 1, "t.csv:19", "three")
    write(folder, "t.csv", rows.replace("\n17,2,3,4", "\n17,2,3"))
    expect(folder, ["train", model], 1, "t.csv:19")
    os.unlink(csv)
    expect(folder, ["train", model], 1, "t.csv")


def broken_models(folder):
    bad = write(folder, "bad.model", MODEL.replace("dense(8, relu)", "dens(8, relu)").replace("accuracy(y, t)", "accuracy(z, t)"))
    for command in (["train", bad], ["check", bad]):
        expect(folder, command, 1, "bad.model:4:10: error: unknown operation 'dens'", "did you mean 'dense'",
               "bad.model:6:", "'z' is not defined")
    shape = write(folder, "shape.model", MODEL.replace("float[4]", "float[5]"))
    expect(folder, ["train", shape], 1, "float [5]", "iris is [4]")
    expect(folder, ["check", write(folder, "b.model", b"model m\n\xff\xfe\n")], 1, "b.model:2:1")
    expect(folder, ["check", write(folder, "e.model", MODEL.replace("data iris", "data iriss"))], 1,
           "e.model:8:8: error: unknown data set 'iriss'")
    expect(folder, ["check", os.path.join(folder, "none.model")], 1, "none.model")
    expect(folder, ["check", folder], 1)
    problems = run_json("check", bad, status=1)
    assert not problems["ok"] and problems["problems"][0]["line"] == 4 and problems["problems"][0]["column"] == 10


def workspaces(folder):
    file = write(folder, "file", "just text, long enough to be read as something " * 20)
    expect(folder, ["train", "iris", "-w", os.path.join(file, "below.trainscope")], 1, "below.trainscope")
    expect(folder, ["train", "iris", "-w", file], 1, "file", "not a")
    assert open(file).read().startswith("just text"), "the file was changed"
    expect(folder, ["runs", file], 1, "not a")
    expect(folder, ["runs", os.path.join(folder, "none.trainscope")], 1, "none.trainscope")
    expect(folder, ["runs", write(folder, "empty.trainscope", "")], 1, "empty.trainscope")
    good = os.path.join(folder, "good.trainscope")
    end = train("iris", "--epochs", "3", "-w", good)
    for what in ("nobody", "iris-99"):
        expect(folder, ["show", good, what], 2, what)
    expect(folder, ["train", "--resume", "nobody", "-w", good], 2, "nobody")
    expect(folder, ["train", "iris", "--name", end["run"], "-w", good], 1, end["run"])
    with open(good, "r+b") as f:
        f.truncate(20000)
    _, err = run("runs", good, status=1)
    assert "good.trainscope" in err, err


def ambiguous_run(folder):
    path = os.path.join(folder, "w.trainscope")
    prefixes = {}
    for _ in range(17):  # two of 17 uuids share their first digit
        uuid = train("iris", "--steps", "1", "-w", path)["uuid"]
        prefixes.setdefault(uuid[0], []).append(uuid)
    digit, uuids = next((d, u) for d, u in prefixes.items() if len(u) > 1)
    expect(folder, ["show", path, digit], 2, uuids[0], uuids[1])
    assert run_json("show", path, uuids[0])["uuid"] == uuids[0]


def read_only_mount(folder):
    target = os.path.join(folder, "ro")
    os.mkdir(target)
    path = os.path.join(target, "w.trainscope")
    script = f"""set -e
mount -t tmpfs none '{target}' 2>/dev/null || exit 77
"$PROGRAM" train iris --epochs 2 --quiet -w '{path}'
mount -o remount,ro '{target}'
"$PROGRAM" runs '{path}' --json >/dev/null
if "$PROGRAM" train iris --quiet -w '{path}' 2>'{folder}/err'; then exit 3; else [ $? = 1 ]; fi
"""
    from harness import PROGRAM
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True,
                          env=dict(os.environ, PROGRAM=os.path.abspath(PROGRAM)))
    if done.returncode == 77 or "unshare" in done.stderr:
        raise Skip("mounting is not allowed here")
    assert done.returncode == 0, done
    err = open(os.path.join(folder, "err")).read()
    assert "read-only" in err.lower() and "w.trainscope" in err, err


def second_writer(folder):
    from harness import PROGRAM
    path = os.path.join(folder, "w.trainscope")
    first = subprocess.Popen([PROGRAM, "train", "iris", "--epochs", "1000000", "--json", "-w", path],
                             stdout=subprocess.PIPE, text=True)
    try:
        while '"saved"' not in first.stdout.readline():
            pass
        expect(folder, ["train", "iris", "-w", path], 1, str(first.pid), "w.trainscope")
        assert run_json("runs", path)[0]["state"] == "running"
    finally:
        first.terminate()
        first.communicate(timeout=20)
    assert first.returncode == 0
    assert run_json("runs", path)[0]["state"] == "stopped"


def odd_things(folder):
    for name in ("", "a\nb", "\x1b[31mred", "x" * 201):
        expect(folder, ["train", "iris", "--name", name], 1, "cannot be the name of a run", "1 to 200 characters")
    assert run_json("runs", os.path.join(folder, "runs.trainscope")) == []
    os.symlink("nowhere/x.trainscope", os.path.join(folder, "l.trainscope"))
    expect(folder, ["train", "iris", "-w", "l.trainscope"], 1, "it is a link to nowhere/x.trainscope")
    expect(folder, ["runs", ""], 1, "the workspace's name is empty")
    os.mkfifo(os.path.join(folder, "pipe"))
    expect(folder, ["check", os.path.join(folder, "pipe")], 1, "is a pipe, not a file")
    model = write(folder, "c.model", MODEL.replace("data iris", 'data csv("/dev/zero")'))
    expect(folder, ["train", model], 1, "/dev/zero is a device, not a file")
    model = write(folder, "huge.model", MODEL.replace("dense(8, relu)", "dense(60000, relu) -> dense(60000)"))
    expect(folder, ["train", model], 1, "of memory, and there are", "variables")
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "models"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "standard output" in done.stderr, done


def damaged_checkpoints(folder):
    path = os.path.join(folder, "w.trainscope")
    train("iris", "-w", path, "--steps", "30", "--name", "whole")
    whole = points(path, "whole")
    train("iris", "-w", path, "--steps", "18", "--name", "hurt")
    uuid = next(r["uuid"] for r in run_json("runs", path) if r["run"] == "hurt")
    files = sorted(os.listdir(os.path.join(path + ".d", uuid)))
    files = [os.path.join(path + ".d", uuid, f) for f in files]
    assert len(files) >= 2, files

    # one bit of a weight of the newest: it is said, and the older one serves
    with open(files[-1], "r+b") as file:
        file.seek(-5, 2)
        byte = file.read(1)
        file.seek(-5, 2)
        file.write(bytes([byte[0] ^ 0x40]))
    _, err = run("train", "--resume", "hurt", "-w", path, "--steps", "30", "-q")
    assert files[-1] in err and "SHA-256" in err and "goes on from step 12" in err, err
    visible = points(path, "hurt")
    for key, bits in whole.items():
        assert visible[key][-1] == bits[-1], key

    # finished: nothing is measured again
    before = points(path)
    expect(folder, ["train", "--resume", "hurt", "-w", path], 1, "has done all its", "--epochs or --steps")
    assert points(path) == before

    # none left: it does not begin anew in silence
    uuid_folder = os.path.join(path + ".d", uuid)
    for name in os.listdir(uuid_folder):
        os.truncate(os.path.join(uuid_folder, name), 100)
    expect(folder, ["train", "--resume", "hurt", "-w", path, "--steps", "40"], 1, "no sound checkpoint", "hurt")
    assert points(path, "hurt") == visible


def hostile_json(folder):
    """A workspace of somebody's whose JSON nests a million deep, or is something else than it should be."""
    write(folder, "tfevents", ev.version() + ev.scalar(0, 1) +
          ev.event(0, ev.summary(ev.tensor("i", 7, [3], ev.message(8, b"1") + ev.message(8, b"1") + ev.message(8, b"x"),
                                           "images"))))
    for text in ("[" * 1000000, '{"a":' * 1000000, '{"plugin": [1], "content": {}, "data_class": "x", "width": []}', "[]", ""):
        path = os.path.join(folder, "w.trainscope")
        if os.path.exists(path):
            os.unlink(path)
        run("import", "tfevents", "-w", path, "--name", "r", cwd=folder)
        graph = '{"nodes": [1, {"name": 3, "inputs": [[]], "outputs": [2, {"shape": [[], "x"]}]}]}' if text else text
        with sqlite3.connect(path) as db:
            db.execute("UPDATE series SET meta = ?", (text,))
            db.execute("UPDATE item SET meta = ?", (text,))
            db.execute("INSERT INTO blob(hash, size, parts, complete) VALUES(randomblob(32), ?, 1, 1)", (len(graph),))
            db.execute("INSERT INTO graph(run_id, name, format, blob_id) SELECT run_id, 'main', 0, max(blob_id) FROM run, blob")
        assert run_json("show", path, "r")["tags"]
        out = os.path.join(folder, f"out{len(text)}")
        _, err = run("export", path, "--to", "tfevents", "-o", out, status=None)
        assert "CRITICAL" not in err and "WARNING" not in err, err
        shutil.rmtree(out, ignore_errors=True)


FRAME = """input x float[16]
input t int
{}
loss l = softmax_xent(y, t)
train {{
  data synthetic(rows=40, features=16)
  optimizer sgd(lr=0.01)
  batch 8
  seed 1
}}
"""
ODD_MODELS = {
    "y = x -> reshape(shape=[4,4,1]) -> conv2d(3, 9, pads=[0,0,0,0]) -> flatten -> dense(4)": "does not fit",
    "y = x -> reshape(shape=[4,4,1]) -> maxpool(9, pad=same, pads=[0,0,0,0]) -> flatten -> dense(4)": "does not fit",
    "c = concat(reduce_mean(x, axes=[0]), reduce_mean(x, axes=[1]), axis=0) -> reduce_sum\ny = (x*c) -> dense(4)": "concat",
    "y = x -> reshape(shape=[-2, 16, 1073741823, 1073741825]) -> dense(4)": "cannot reshape",
    "y = x -> reshape(shape=[1,1,16]) -> resize([1048576,1048576]) -> global_avgpool -> dense(4)": "memory",
    "y = x -> reshape(shape=[4,4]) -> lstm(3, seq=true) -> mha(2)": "mha",
    "z = reduce_mean(x) -> transpose(perm=[3])\ny = x -> dense(4)": "perm",
}


def bad_schedule(folder):
    """What training refuses, check refuses."""
    path = os.path.join(folder, "schedule.model")
    schedule = "schedule piecewise(boundaries=[10, 5], values=[1, 2, 3])"
    with open(path, "w", encoding="utf-8") as file:
        file.write(FRAME.format("y = x -> dense(4)").replace("batch 8", f"batch 8\n  {schedule}"))
    expect(folder, ["check", path], 1, "piecewise: boundary 5")
    expect(folder, ["train", path, "-w", os.path.join(folder, "s.trainscope")], 2, "piecewise: boundary 5")


def bad_watch(folder):
    """check sees what a callback cannot watch, at the word itself, and points at a wrong argument's name."""
    path = os.path.join(folder, "watch.model")
    stop = "stop early(val.los, patiense=3)"
    with open(path, "w", encoding="utf-8") as file:
        file.write(FRAME.format("y = x -> dense(4)").replace("batch 8", f"batch 8\n  {stop}"))
    _, err = run("check", path, status=1)
    lines = err.splitlines()
    for word in "val.los,", "patiense":
        carets = [line.index("^") for line, above in zip(lines[1:], lines) if stop in above]
        column = next(line for line in lines if stop in line).index(word)
        assert column in carets, (word, err)
    assert "early cannot watch 'val.los'" in err and "did you mean 'patience'" in err, err


LOSS, METRIC = "loss xent = softmax_xent(y, t)\n", "metric accuracy = accuracy(y, t)\n"
LESS_THAN_5 = 'csv("three.csv", header=no)'  # no row of it is for validation
UNFIT = [  # what stands in MODEL, what instead, what is said, and whether it takes a look at the data
    (LOSS, LOSS + "loss two = softmax_xent(y, t)\n", "6:6: error: a training makes one loss small", False),
    (LOSS, "", "6:1: error: a training needs a loss", False),
    (METRIC, "".join(f"metric m{i} = accuracy(y, t)\n" for i in range(9)),
     "14:8: error: a model has at most 8 metrics", False),
    (LOSS, "loss l = 2 * accuracy(y, t)\n", "5:6: error: 'l' cannot be trained: accuracy has no gradient", False),
    (LOSS, "loss l = precision(y, t)\n", "5:6: error: 'l' cannot be trained: precision has no gradient", False),
    ("dense(8, relu) -> dense(3)", "relu -> tanh", "5:6: error: 'xent' cannot be trained: it depends on no", False),
    ("input x", "input u", "8:8: error: the model has no 'input x', to which the features of iris", False),
    ("input t", "input u", "8:8: error: the model has no 'input t', to which the labels of iris", False),
    ("float[4]", "float[5]", "2:7: error: the model's input x is float [5] but a row of iris is [4]", True),
    ("dense(3)", "dense(2)", "5:6: error: the model gives 2 scores but iris has 3 classes", True),
    ("epochs 2", "epochs 2\n  stop early", "10:8: error: early watches val.loss but csv has no validation", True),
    ("epochs 2", "epochs 2\n  reduce on_plateau", "10:10: error: on_plateau watches val.loss but csv has no", True),
]


def unfit(folder):
    """What training refuses, check refuses, at its place."""
    write(folder, "three.csv", "1,2,3,4,0\n2,3,4,5,1\n3,4,5,6,2\n")
    for old, new, words, with_data in UNFIT:
        text = MODEL.replace("x -> dense", "u -> dense") if new == "input u" and old == "input x" else MODEL
        text = text.replace("(y, t)", "(y, u)") if old == "input t" else text
        text = text.replace(old, new)
        text = text.replace("data iris", f"data {LESS_THAN_5}") if "csv" in words else text
        model = write(folder, "unfit.model", text)
        if with_data:
            run("check", model, cwd=folder)
            expect(folder, ["check", "--data", model], 1, f"unfit.model:{words}")
            problems = run_json("check", "--data", model, status=1) if "csv" not in words else {"ok": False}
            assert not problems["ok"]
            _, err = run("train", model, status=None, cwd=folder)
            assert words.split("error: ")[1] in err, err
        else:
            expect(folder, ["check", model], 1, f"unfit.model:{words}")
            expect(folder, ["train", model], 1, f"unfit.model:{words}")
    whole = MODEL.replace(METRIC, "".join(f"metric m{i} = accuracy(y, t)\n" for i in range(8)))
    run("check", "--data", write(folder, "whole.model", whole))
    run("check", write(folder, "no_train.model", "model m\ninput u float[4]\noutput y = u -> dense(3)\n"))


def idle(folder):
    """More batches for one update than there are: said by check and train, and no error."""
    words = "is more than all {} steps of the training: no weight ever changes"
    model = write(folder, "idle.model", MODEL.replace("epochs 2", "epochs 2\n  accumulate 99"))
    assert run("check", model)[1] == ""
    expect(folder, ["check", "--data", model], 0, "idle.model:10:3: warning: accumulate 99 " + words.format(6))
    expect(folder, ["train", model], 0, "idle.model:10:3: warning: accumulate 99 " + words.format(6))
    expect(folder, ["train", model, "--set", "accumulate=7"], 0, "accumulate 7 " + words.format(6))
    assert "accumulate" not in run("train", model, "--set", "accumulate=6", cwd=folder)[1]
    model = write(folder, "idle.model", MODEL.replace("epochs 2", "steps 5\n  accumulate 6"))
    expect(folder, ["check", model], 0, "accumulate 6 " + words.format(5))


def level(folder):
    """An instruction-set level that there is not is said once; what there is says nothing."""
    def told(name):
        return run("train", "iris", "--epochs", "1", "-q", cwd=folder, env=dict(os.environ, TRAINSCOPE_ISA=name))[1]
    assert told("foo").count("TRAINSCOPE_ISA=foo is no level of this processor; it has ") == 1
    levels = told("foo").split("it has ")[1].split(" and goes on")[0].split(", ")
    assert levels and all(told(name) == "" for name in levels), levels


def odd_models(folder):
    """Models that only looked right are refused in words, with their place."""
    for number, (text, words) in enumerate(ODD_MODELS.items()):
        path = os.path.join(folder, f"odd{number}.model")
        with open(path, "w", encoding="utf-8") as file:
            file.write(FRAME.format(text))
        _, err = run("train", path, "--steps", "2", "-w", os.path.join(folder, "w.trainscope"), status=1)
        assert words in err, (text, err)


main([usage, missing_data, broken_idx, broken_csv, broken_models, workspaces, ambiguous_run, read_only_mount,
      second_writer, odd_things, damaged_checkpoints, hostile_json, bad_schedule, bad_watch,
      unfit, idle, level, odd_models])
