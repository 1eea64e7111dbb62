# SPDX-License-Identifier: MIT
"""`trainscope plot`: pictures of real runs, and what it says when there is nothing to draw."""
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import harness  # noqa: E402
from harness import run, train  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
WORKSPACE = os.path.join(FOLDER.name, "w.trainscope")


def workspace():
    """Two short runs, trained once."""
    if not os.path.exists(WORKSPACE):
        for seed in (1, 2):
            train("iris", "--workspace", WORKSPACE, "--name", f"seed {seed}", "--seed", seed, "--epochs", 5)
    return WORKSPACE


def plot(name, *args, status=0):
    """The bytes of the picture and what was said."""
    path = os.path.join(FOLDER.name, name)
    if os.path.exists(path):
        os.remove(path)
    _, said = run("plot", workspace(), "-o", path, *args, status=status)
    if status:
        assert not os.path.exists(path), f"{path} was left behind"
        return None, said
    with open(path, "rb") as f:
        return f.read(), said


def test_png(_folder):
    """Size as asked; drawn twice: the same bytes; other options: other bytes."""
    picture, _ = plot("a.png", "--tag", "*/loss", "--size", "640x480")
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (640, 480)
    assert plot("b.png", "--tag", "*/loss", "--size", "640x480")[0] == picture
    for option in (["--dark"], ["--log-y"], ["--smoothing", "0"], ["--x", "relative"], ["--run", "seed 1"]):
        assert plot("b.png", "--tag", "*/loss", "--size", "640x480", *option)[0] != picture, option


def test_one_chart_a_tag(_folder):
    for tags, charts in ((["train/loss"], 1), (["*/loss"], 3), (["train/loss", "lr"], 2)):
        args = [part for tag in tags for part in ("--tag", tag)]
        _, said = plot("a.png", *args)
        assert re.search(rf"\b{charts} charts?\b", said), said


def test_vector(_folder):
    svg, _ = plot("a.svg", "--tag", "train/*")
    assert b"<svg" in svg and b"<path" in svg and b"<image" not in svg
    pdf, _ = plot("a.PDF", "--tag", "train/*", "--dark")
    assert pdf[:5] == b"%PDF-"


def test_no_such_tag(_folder):
    _, said = plot("a.png", "--tag", "train/los", status=2)
    assert "train/los" in said and "train/loss" in said, said


def test_no_such_run(_folder):
    _, said = plot("a.png", "--tag", "*", "--run", "nobody", status=2)
    assert "nobody" in said, said


def test_usage(_folder):
    for args, word in ((["--tag", "*", "--size", "9x9"], "9x9"), (["--tag", "*", "--x", "y"], "'y'"),
                       (["--tag", "*", "--smoothing", "1"], "smoothing"), ([], "--tag")):
        _, said = plot("a.png", *args, status=2)
        assert word in said, said
    assert ".svg" in plot("a.jpg", "--tag", "*", status=2)[1]


def test_cannot_write(_folder):
    _, said = plot("missing/a.png", "--tag", "lr", status=1)
    assert "missing" in said, said


if __name__ == "__main__":
    sys.exit(harness.main([test_png, test_one_chart_a_tag, test_vector, test_no_such_tag, test_no_such_run,
                           test_usage, test_cannot_write]))
