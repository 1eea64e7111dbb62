#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Event files with known values: the made cases and the real files, against what they are known to hold."""
import glob
import json
import os
import sqlite3

from harness import ROOT, Skip, main, run, run_json

EVENTS = os.path.join(os.path.dirname(ROOT), "shared", "events")
# what the expected values call a kind: ours and the plugin's
KINDS = {"scalar": ("scalar", None), "histogram": ("histogram", None), "image": ("image", None),
         "audio": ("audio", None), "text": ("text", None), "hparams": ("tensor", "hparams"),
         "mesh": ("tensor", "mesh"), "pr_curve": ("tensor", "pr_curves"),
         "custom_scalars": ("tensor", "custom_scalars"), "graph_keras_model": ("tensor", "graph_keras_model")}
NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def need_events():
    if not os.path.isdir(EVENTS):
        raise Skip(f"no {EVENTS}")


def same(a, b):
    a, b = NUMBERS.get(a, a), NUMBERS.get(b, b)
    return a == b or (a != a and b != b)


def check_tag(where, want, got):
    kind = want["kind"]
    ours, plugin = KINDS.get(kind) or ("tensor", kind.split(":", 1)[1])
    assert got["kind"] == ours, (where, kind, got)
    if plugin:
        assert got["plugin"] == plugin, (where, kind, got)
    for key in ("count", "first_step", "last_step", "min_step", "max_step", "first_value", "last_value", "min", "max",
                "sum", "finite", "nan", "pos_inf", "neg_inf"):
        if key in want:
            if key in ("min", "max", "sum") and want.get("finite") == 0:
                continue
            if key == "sum" and abs(want[key]) < 1e300:  # added in another order
                assert abs(want[key] - got[key]) <= 1e-12 * abs(want[key]), (where, want[key], got[key])
                continue
            assert same(want[key], got[key]), (where, key, want[key], got[key])


def check_run(path, name, want):
    uuid = {r["run"]: r["uuid"] for r in run_json("runs", path)}[name]  # a name may look like an option
    got = run_json("show", path, uuid)["tags"]
    for tag, values in want.items():
        if "kind" in values:
            check_tag(f"{name}/{tag}", values, got[tag])
    extra = set(got) - set(want) - {"node/name", "default:00000", "default:00000/labels"}  # a value named by its node; an embedding
    assert not {t for t in extra if "(" not in t}, (name, extra)


def cases(folder):
    """Every made case: counts, steps and exact values of every run and tag."""
    need_events()
    done = 0
    for case in sorted(glob.glob(os.path.join(EVENTS, "cases", "*", ""))):
        name = os.path.basename(os.path.dirname(case))
        with open(os.path.join(case, "expected.json"), encoding="utf-8") as f:
            expected = json.load(f)
        path = os.path.join(folder, name + ".trainscope")
        run("import", case, "-w", path)
        if name == "27_not_event_files":  # its values stop at the damage; reading goes on behind it
            expected["runs"]["bad_length_crc"] = {"loss": {"kind": "scalar", "count": 2, "first_step": 1,
                                                           "last_step": 2, "first_value": 1.0, "last_value": 2.0}}
        for run_name, tags in expected["runs"].items():
            if name != "28_one_tag_two_kinds":
                check_run(path, name if run_name == "." else run_name, tags)
        runs = {r["run"] for r in run_json("runs", path)}
        assert runs == {name if r == "." else r for r in expected["runs"]}, (name, runs)
        done += 1
    assert done >= 27


def check_inspect(file, want):
    got = run_json("inspect", file)[0]
    assert got["records"] == want["good_records"] and got["values"] == want["summary_values"], file
    assert got["version"] == want["file_version"] and got["writer"] == want["writer"], file
    assert same(got["first_wall"], want["first_wall"]) and same(got["last_wall"], want["last_wall"]), file
    assert len(got["damage"]) == len(want["damage"]) and got["graphs"] == len(want["graphs"]) + len(want["meta_graphs"])
    if want["summary_events"]:
        steps = [s for t in want["tags"].values() for s in (t["min_step"], t["max_step"])]
        assert (got["min_step"], got["max_step"]) == (min(steps), max(steps)), file
    count = {}
    for tag in got["tags"]:
        count[tag["tag"]] = count.get(tag["tag"], 0) + tag["count"]
    assert count == {name: tag["count"] for name, tag in want["tags"].items()}, file


def real(folder):
    """Every real file by itself: records, damage, tags and values."""
    need_events()
    done = 0
    for expected in sorted(glob.glob(os.path.join(EVENTS, "real", "expected", "**", "*.json"), recursive=True, include_hidden=True)):
        file = os.path.relpath(expected, os.path.join(EVENTS, "real", "expected"))[:-len(".json")]
        with open(expected, encoding="utf-8") as f:
            want = json.load(f)
        check_inspect(os.path.join(EVENTS, "real", file), want)
        path = os.path.join(folder, f"{done}.trainscope")
        report = run_json("import", os.path.join(EVENTS, "real", file), "-w", path, "--name", "r")
        assert report[0]["records"] == want["good_records"], (file, report)
        check_run(path, "r", want["tags"])
        with sqlite3.connect(path) as db:
            graphs = db.execute("SELECT count(*) FROM graph WHERE name = 'main'").fetchone()[0]
            assert graphs == (1 if want["graphs"] or want["meta_graphs"] else 0), file
            keras = db.execute("SELECT count(*) FROM graph WHERE format = 2").fetchone()[0]
            assert keras == sum(t.get("kind") == "graph_keras_model" for t in want["tags"].values()), file
        done += 1
    assert done >= 87


def sql(path, query):
    return run_json("sql", path, query)


def checks(folder):
    """What the cases say beyond counts."""
    need_events()

    def bring(name):
        path = os.path.join(folder, name + ".trainscope")
        report = run_json("import", os.path.join(EVENTS, "cases", name), "-w", path)
        return path, report[0]

    path, _ = bring("09_resume_overlap")
    rows = sql(path, "SELECT step, value, attempt FROM scalars ORDER BY step")
    assert len(rows) == 31 and len({r["step"] for r in rows}) == 31
    assert sum(r["attempt"] == 0 for r in rows) == 10
    assert [r["value"] for r in rows if r["step"] == 150] == [2.5]
    assert sum(r["value"] for r in rows) == 76.00000001490116
    assert sql(path, "SELECT count(*) AS n FROM scalars WHERE overtaken IN (0, 1)")[0]["n"] == 37
    assert run_json("show", path, "run1", "--view", "latest")["tags"]["Loss/train"]["count"] == 31
    path, report = bring("19_one_bad_crc")
    assert report["damaged"] == 1 and "at byte 2096" in report["problems"][0], report
    steps = [r["step"] for r in sql(path, "SELECT step FROM scalars")]
    assert len(steps) == 99 and 49 not in steps
    path, report = bring("17_same_step_two_values")
    values = sql(path, "SELECT value FROM scalars WHERE tag = 'epoch' AND step = 199")
    assert sorted(r["value"] for r in values) == [3, 3, 4]
    path, report = bring("23_hparams_union")
    hparams = {}
    for row in sql(path, "SELECT * FROM hparams"):
        hparams.setdefault(row["run"], {})[row["key"]] = (row["type"], row["value"])
    assert hparams["run_c"] == {"key_B": ("real", 10)}
    assert hparams["run_b"] == {"lr": ("real", 0.01), "batch_size": ("real", 32), "optimizer": ("text", "adam"),
                                "use_bn": ("boolean", 1)}
    path, report = bring("27_not_event_files")
    assert any("/lfs/" in p and "Git LFS" in p for p in report["problems"]), report
    for bad in ("lfs", "text", "zeros", "huge_length", "bad_length_crc", "crlf", "garbage_proto"):
        assert any(f"/{bad}/" in p for p in report["problems"]), (bad, report)
    path, report = bring("28_one_tag_two_kinds")
    for name in ("scalar_first", "histogram_first"):
        tags = run_json("show", path, name)["tags"]
        assert sorted((t["kind"], t["count"]) for t in tags.values()) == [("histogram", 5), ("scalar", 5)], tags
    path, report = bring("29_histogram_oddities")
    totals = [r["count"] for r in sql(path, "SELECT count FROM histograms WHERE tag = 'v2' ORDER BY step")]
    assert totals == [10, 11, 12]
    path, report = bring("31_extreme_steps")
    big = [r["step"] for r in sql(path, "SELECT step FROM scalars WHERE run = 'big'")]
    assert 9007199254740993 in big
    path, report = bring("33_mesh_prcurve_layout_embedding")
    curve = sql(path, "SELECT threshold, precision, recall FROM pr_curves WHERE step = 1 ORDER BY threshold")
    assert [r["threshold"] for r in curve] == [0, 0.25, 0.5, 0.75, 1]
    for key, want in (("precision", [0.5, 0.6428571428571429, 0.75, 0.8333333333333334, 0]),
                      ("recall", [1, 0.9, 0.6, 0.2, 0])):
        assert all(abs(r[key] - w) < 1e-7 for r, w in zip(curve, want)), (key, curve)
    samples = {(r["tag"], r["kind"]): r for r in sql(path, "SELECT * FROM samples WHERE idx = 0")}
    assert samples["default:00000", "tensor"]["shape"] == "[20,8]"
    assert json.loads(samples["default:00000", "tensor"]["value"])[8:12] == [0, 1, 2, 3]
    labels = sql(path, "SELECT value FROM samples WHERE tag = 'default:00000/labels' ORDER BY idx")
    assert len(labels) == 20 and labels[1]["value"] == "label1"
    face = samples["my_mesh_FACE", "tensor"]
    assert face["type"] == "int32" and json.loads(face["value"]) == [0, 2, 3, 0, 3, 1, 0, 1, 2, 1, 3, 2]
    mesh = json.loads(face["about"])["mesh"]
    assert mesh["part"] == "face" and json.loads(mesh["config"]) == {"camera": {"cls": "PerspectiveCamera"}}
    assert json.loads(samples["custom_scalars__config__", "tensor"]["meta"])["layout"] == [
        {"title": "Losses", "closed": False, "charts": [{"title": "train vs val", "tags": ["loss/train|loss/val"]}]}]
    path, report = bring("15_add_scalars_subruns")
    with sqlite3.connect(path) as db:
        parents = dict(db.execute("SELECT r.name, p.name FROM run r LEFT JOIN run p ON p.run_id = r.parent_run_id"))
    assert parents["runs/first_run"] is None
    assert parents["runs/first_run/data_scalar_group_xsinx"] == "runs/first_run"


if __name__ == "__main__":
    main([cases, real, checks])
