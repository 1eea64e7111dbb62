#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""export --to tfevents: back again to the bit, and read by TensorBoard itself."""
import json
import os
import sqlite3
import struct
import subprocess
import sys

import eventfile as ev
from harness import ROOT, Skip, main, run, run_json, train
from test_events import NAME, write

EVENTS = os.path.join(os.path.dirname(ROOT), "shared", "events")


def content(path):
    """{run: [(kind, tag, step, wall bits, value bits or bytes), …]}, attempts of a run as one."""
    result = {}
    for row in run_json("sql", path, "SELECT run, tag, step, CAST(wall_time AS TEXT) AS wall, bits FROM scalars"
                                     " WHERE overtaken IN (0, 1)"):
        result.setdefault(row["run"].split(".attempt-")[0], []).append(
            ("scalar", row["tag"], row["step"], row["wall"], row["bits"]))
    with sqlite3.connect(path) as db:
        for name, tag, kind, step, wall, inline, blob in db.execute(
                "SELECT r.name, t.name, s.kind, i.step, i.wall, i.inline_data, hex(b.hash) FROM item i"
                " JOIN series s USING(series_id) JOIN run r USING(run_id) JOIN tag t USING(tag_id)"
                " LEFT JOIN blob b USING(blob_id)"):
            result.setdefault(name.split(".attempt-")[0], []).append((kind, tag, step, wall, inline or blob))
    return {name: sorted(rows, key=repr) for name, rows in result.items()}


def there_and_back(folder, path):
    out, back = os.path.join(folder, "out"), os.path.join(folder, "back.trainscope")
    run("export", path, "--to", "tfevents", "--exact", "-o", out)
    run("import", out, "-w", back)
    return content(path), content(back)


def real(folder):
    """Every real file, and a case with every plugin: out and in again, all points and samples, steps, times and
    values to the bit."""
    if not os.path.isdir(EVENTS):
        raise Skip(f"no {EVENTS}")
    path = os.path.join(folder, "w.trainscope")
    run("import", os.path.join(EVENTS, "real"), os.path.join(EVENTS, "cases", "33_mesh_prcurve_layout_embedding"),
        "-w", path)
    before, after = there_and_back(folder, path)
    assert len(before) > 50 and set(before) == set(after), set(before) ^ set(after)
    for name, rows in before.items():
        assert rows == after[name], (name, [r for r in rows if r not in after[name]][:3],
                                     [r for r in after[name] if r not in rows][:3])


def restarts(folder):
    """Attempts that overlap have folders of their own; nothing is lost."""
    logs = os.path.join(folder, "logs")
    write(os.path.join(logs, "a", "b", NAME), ev.version() + ev.scalars(range(10)) + ev.scalar(3, 0.1))
    write(os.path.join(logs, "a", "b", NAME + "2"),
          ev.version(1e9 + 50) + ev.start(5, 1e9 + 50) + ev.scalars([6, 7], wall=1e9 + 51))
    write(os.path.join(logs, "..dots", NAME), ev.version() + ev.scalars([1]))
    path = os.path.join(folder, "w.trainscope")
    run("import", logs, "-w", path)
    before, after = there_and_back(folder, path)
    assert before == after
    names = sorted(os.listdir(os.path.join(folder, "out", "a")))
    assert names == ["b", "b.attempt-1"], names
    err = run("export", path, "--to", "tfevents", "-o", os.path.join(folder, "out"), status=1)[1]
    assert "is not empty" in err
    run("export", path, "a/b", "--to", "tfevents", "-o", os.path.join(folder, "one"))
    assert os.listdir(os.path.join(folder, "one")) == ["a"]


def rounded(folder):
    """Without --exact a double becomes the nearest float, with it stays."""
    data = ev.event(0, ev.summary(ev.tensor("d", 2, [], ev.double(6, 0.1), "scalars"))) + ev.scalar(0, 0.5, "f")
    write(os.path.join(folder, "logs", "r", NAME), ev.version() + data)
    path = os.path.join(folder, "w.trainscope")
    run("import", os.path.join(folder, "logs"), "-w", path)
    for option, want in ((["--exact"], 0.1), ([], 0.10000000149011612)):
        out = os.path.join(folder, "out" + "".join(option))
        back = out + ".trainscope"
        run("export", path, "--to", "tfevents", "-o", out, *option)
        run("import", out, "-w", back)
        assert {r["tag"]: r["value"] for r in run_json("sql", back, "SELECT * FROM scalars")} == {"d": want, "f": 0.5}


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


READER = r"""
import json, sys
from tensorboard.backend.event_processing import plugin_event_accumulator as ea, plugin_event_multiplexer as em
import tensorboard.util.tensor_util as tu
m = em.EventMultiplexer(size_guidance={ea.TENSORS: 0}).AddRunsFromDirectory(sys.argv[1])
m.Reload()
out = {}
for run, tags in m.Runs().items():
    for tag in tags["tensors"]:
        plugin = m.SummaryMetadata(run, tag).plugin_data.plugin_name
        values = []
        for e in m.Tensors(run, tag):
            a = tu.make_ndarray(e.tensor_proto)
            values.append([e.step, e.wall_time, a.item() if plugin == "scalars" else list(a.shape)])
        out.setdefault(run, {})[tag] = [plugin, values]
    if tags.get("graph"):
        out.setdefault(run, {})["graph"] = ["graph", [n.name for n in m.Graph(run).node]]
print(json.dumps(out))
"""

# The data server, asked as TensorBoard asks it; each kind of data has its own call.
SERVER_READER = r"""
import json, sys
import tensorboard_data_server
from tensorboard import context
from tensorboard.data import server_ingester
from tensorboard.util import grpc_util
ingester = server_ingester.SubprocessServerDataIngester(
    server_ingester.ServerBinary(tensorboard_data_server.server_binary(), version=None), sys.argv[1], reload_interval=0,
    channel_creds_type=grpc_util.ChannelCredsType.LOCAL, samples_per_plugin={"scalars": 0, "text": 0, "histograms": 0})
ingester.start()
server, ctx, out = ingester.data_provider, context.RequestContext(), {}
for plugin in ("scalars", "histograms", "text"):
    read = server.read_scalars if plugin == "scalars" else server.read_tensors
    for run, tags in read(ctx, experiment_id="", plugin_name=plugin, downsample=100000).items():
        for tag, data in tags.items():
            out.setdefault(run, {})[tag] = [plugin, [
                [d.step, d.wall_time, d.value if plugin == "scalars" else list(d.numpy.shape)] for d in data]]
print(json.dumps(out))
"""


def make_venv(folder, *packages):
    """A throwaway environment with the packages; its python."""
    venv = os.path.join(folder, "venv")
    try:
        subprocess.run([sys.executable, "-m", "venv", venv], check=True, capture_output=True, timeout=120)
        subprocess.run([os.path.join(venv, "bin", "pip"), "install", "-q", "--timeout", "10", "--retries", "0",
                        *packages], check=True, capture_output=True, timeout=400)
    except (subprocess.SubprocessError, OSError) as error:
        raise Skip(f"{packages[0]} cannot be installed: {error}")
    return os.path.join(venv, "bin", "python")


def read_with(python, script, out):
    done = subprocess.run([python, "-c", script, out], capture_output=True, text=True,
                          env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"})
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def tensorboard(folder):
    """TensorBoard's own loader and its data server see the same tags, steps, times and values; the first the graph."""
    python = make_venv(folder, "tensorboard", "tensorboard-data-server", "setuptools<81")
    path, out = os.path.join(folder, "w.trainscope"), os.path.join(folder, "out")
    train("iris", "-w", path, "--name", "iris", "--epochs", "5")
    data = b"".join(ev.event(i, ev.summary(ev.tensor("words", 7, [1], ev.message(8, b"w%d" % i),
                                                     None if i else "text"))) for i in range(3))
    write(os.path.join(folder, "logs", "mine", NAME), ev.version() + ev.scalars(range(20)) + data)
    run("import", os.path.join(folder, "logs"), "-w", path)
    run("export", path, "--to", "tfevents", "-o", out)
    seen = read_with(python, READER, out)
    served = read_with(python, SERVER_READER, out)
    assert set(seen) == set(served) == {"iris", "mine"}
    for name in seen:
        want = {}
        for row in run_json("sql", path, f"SELECT * FROM scalars WHERE run = '{name}'"):
            want.setdefault(row["tag"], []).append([row["step"], row["wall_time"], single(row["value"])])
        for tags in (seen[name], served[name]):
            got = {tag: values for tag, (plugin, values) in tags.items() if plugin == "scalars"}
            assert got == want, name
    for tags in (seen, served):
        assert tags["mine"]["words"] == ["text", [[i, 1e9 + i, [1]] for i in range(3)]]
        assert tags["iris"]["weights/dense/kernel"][0] == "histograms"
        assert tags["iris"]["weights/dense/kernel"][1][0][2] == [30, 3]
    assert "_hparams_/session_start_info" in seen["iris"] and "dense/kernel" in seen["iris"]["graph"][1]


if __name__ == "__main__":
    main([real, restarts, rounded, tensorboard])
