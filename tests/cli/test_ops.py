#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list of operations and what is said about one."""
from harness import main, run, run_json


def listed(folder):
    lines = run("ops")[0].splitlines()
    names = [line.split()[0] for line in lines]
    assert names == sorted(names) and {"add", "conv2d", "matmul", "where"} <= set(names), names
    assert all(len(line.split()) >= 3 for line in lines), "a category and a formula each"
    assert not any(name.endswith("_grad") for name in names), "what backward passes make is not listed"
    assert [op["name"] for op in run_json("ops")] == names


def one(folder):
    text, _ = run("ops", "gelu")
    for words in ("gelu: element-wise", "inputs: x", "parameter form=exact", "(exact|tanh)",
                  "gradient: yes", "example: rows 7", "form=tanh"):
        assert words in text, f"{words!r} is not in\n{text}"
    assert "gradient: no" in run("ops", "floor")[0]
    assert "parameter low, must be given: smallest" in run("ops", "clip")[0]
    assert "made by layers, backward passes" in run("ops", "relu_grad")[0]
    for words in ("dense(x): layer", "parameter units, must be given", "dense: linear"):
        assert words in run("ops", "dense")[0], words


def one_json(folder):
    op = run_json("ops", "clip")
    assert op["inputs"] == "x" and op["gradient"] is True and op["internal"] is False, op
    assert [(p["name"], p["type"], p["default"]) for p in op["parameters"]] == [
        ("low", "float", None), ("high", "float", None)], op["parameters"]
    alpha = run_json("ops", "leaky_relu")["parameters"][0]
    assert alpha["default"] == "0.2" and alpha["doc"], alpha
    assert run_json("ops", "sum_to")["internal"] is True
    for each in run_json("ops"):
        assert each["formula"] and each["category"] and each["doc"].endswith("."), each


def unknown(folder):
    _, err = run("ops", "matmull", status=2)
    assert "unknown operation 'matmull'; did you mean 'matmul'?" in err, err
    _, err = run("ops", "add", "sub", status=2)
    assert "'sub' is one too many" in err and "usage: trainscope ops [NAME] [--json]" in err, err


main([listed, one, one_json, unknown])
