#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of the run file, written from docs/run-file.md alone.

usage: decode.py FILE: prints "run tag seq step wall bits attempt" of every scalar, in that order, and checks the
first level of detail against them (of series whose wall times are of kind 0).
"""
import sqlite3
import struct
import sys

TABLE = []
for i in range(256):
    for _ in range(8):
        i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
    TABLE.append(i)


def check(data, crc):
    c = 0xFFFFFFFF
    for byte in data:
        c = c >> 8 ^ TABLE[(c ^ byte) & 255]
    if c ^ 0xFFFFFFFF != crc:
        sys.exit("decode.py: a checksum does not fit")


def widen(f):
    sign, exponent, mantissa = f >> 31 << 63, f >> 23 & 255, f & 0x7FFFFF
    if exponent == 255:
        return sign | 0x7FF << 52 | mantissa << 29
    return struct.unpack("<Q", struct.pack("<d", struct.unpack("<f", struct.pack("<I", f))[0]))[0]


def signed(u):
    return u - (1 << 64) if u >> 63 else u


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def fixed(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], "little")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.fixed(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def zigzag(self):
        v = self.varint()
        return v >> 1 if v % 2 == 0 else (1 << 64) - (v + 1 >> 1)


def log_row(data):
    b = Bytes(data)
    assert b.fixed(1) == 1
    while b.at < len(data):
        series, seq, n, flags = b.varint(), b.varint(), b.varint(), b.fixed(1)
        if flags & 4:
            assert len(times) == n
        else:
            step, wall, times = 0, 0, []
            for _ in range(n):
                step = (step + b.zigzag()) % (1 << 64)
                wall = b.fixed(8) if flags & 2 else (wall + b.zigzag()) % (1 << 64)
                times.append((step, wall))
        for i, (step, wall) in enumerate(times):
            bits = widen(b.fixed(4)) if flags & 1 else b.fixed(8)
            yield series, seq + i, step, wall, bits, flags >> 1 & 1


def packed_list(b, n):
    for start in range(0, n, 128):
        k, width = min(128, n - start), b.fixed(1)
        bits = b.fixed((k * width + 7) // 8)
        for i in range(k):
            yield bits >> i * width & (1 << width) - 1


def integers(b, n):
    first, least, varies = b.zigzag(), b.zigzag(), b.fixed(1)
    column = [first]
    for extra in packed_list(b, n - 1) if varies else [0] * (n - 1):
        column.append((column[-1] + least + extra) % (1 << 64))
    return column


def times_power(whole, e):
    m, sign = abs(signed(whole)), whole >> 63 << 63
    assert m < 1 << 53 and -1074 <= e <= 971
    while m and m < 1 << 52 and e > -1074:
        m, e = m << 1, e - 1
    return sign | (e + 1075 << 52 | m & (1 << 52) - 1 if m >> 52 else m)


def xored(b, n):
    rest, at = int.from_bytes(b.data[b.at:], "little"), 0

    def take(k):
        nonlocal at
        at += k
        return rest >> at - k & (1 << k) - 1

    column, low, width = [take(64)], None, None
    for _ in range(n - 1):
        x = 0
        if take(1):
            if take(1):
                low, width = take(6), take(6) + 1
            x = take(width) << low
        column.append(column[-1] ^ x)
    b.at += (at + 7) // 8
    return column


def values(b, n):
    form = b.fixed(1)
    if form == 0:
        return [b.fixed(8) for _ in range(n)]
    if form == 1:
        return [widen(b.fixed(4)) for _ in range(n)]
    if form == 2:
        return [b.fixed(8)] * n
    if form == 5:
        return xored(b, n)
    e = signed(b.zigzag())
    if form == 3:
        least = b.zigzag()
        return [times_power((least + u) % (1 << 64), e) for u in packed_list(b, n)]
    assert form == 4
    return [times_power(m, e) for m in integers(b, n)]


def chunk(data, n):
    b = Bytes(data)
    codec, narrow, kind, zero, own_n = b.fixed(1), b.fixed(1), b.fixed(1), b.fixed(1), b.fixed(4)
    assert codec in (1, 2) and zero == 0 and own_n == n
    if codec == 1:
        columns = [[b.fixed(8) for _ in range(n)] for _ in range(2)]
        columns.append([widen(b.fixed(4)) if narrow else b.fixed(8) for _ in range(n)])
    else:
        columns = [integers(b, n), integers(b, n), values(b, n)]
    assert b.at == len(data)
    for step, wall, bits in zip(*columns):
        yield step, wall, bits, kind


def microseconds(wall, kind):
    """None when there is no such time."""
    if kind == 0:
        return signed(wall)
    if wall >> 52 & 0x7FF == 0x7FF:
        return None
    us = struct.unpack("<d", struct.pack("<Q", wall))[0] * 1e6
    if abs(us) >= 2.0 ** 63:
        return (1 << 63) - 1 if us > 0 else -(1 << 63)
    return round(us)


def bucket(points, attempts):
    """What docs/run-file.md says of a bucket of level 1, as a row of its columns has it."""
    finite = [bits for _, _, bits, _ in points if bits >> 52 & 0x7FF != 0x7FF]
    values = [struct.unpack("<d", struct.pack("<Q", bits))[0] for bits in finite]
    strange = [bits for _, _, bits, _ in points if bits >> 52 & 0x7FF == 0x7FF]
    infinite = [sum(bits == infinity for bits in strange) for infinity in (0x7FF << 52, 0xFFF << 52)]
    steps = [signed(step) for step, *_ in points]
    walls = [us for _, wall, _, kind in points if (us := microseconds(wall, kind)) is not None]
    cut = [not finite or points[at][2] >> 52 & 0x7FF == 0x7FF for at in (0, -1)]
    total = values[0] if values else 0.0
    for value in values[1:]:
        total += value
    reals = [min(values), max(values), values[0], values[-1], total] if values else [0.0] * 5
    return [attempts.pop() if len(attempts) == 1 else 0, len(strange) - sum(infinite), *infinite,
            min(steps), max(steps), min(walls, default=(1 << 63) - 1), max(walls, default=-(1 << 63)), cut[0] + 2 * cut[1],
            *(struct.pack("<d", real) for real in reals)]


def check_lod(db, points):
    for series, idx, n, crc, data in db.execute(
            "SELECT series_id, idx, n, crc, data FROM lod WHERE level = 1"):
        check(data, crc)
        b = Bytes(data)
        assert n == 64 and b.fixed(1) == 1 and b.fixed(1) == 1
        columns = [[signed(v) for v in integers(b, 64)] for _ in range(9)]
        columns += [[struct.pack("<Q", v) for v in values(b, 64)] for _ in range(5)]
        assert b.at == len(data)
        for i, row in enumerate(zip(*columns)):
            first = (64 * idx + i) * 64
            found = [points[series, seq] for seq in range(first, first + 64)]
            if list(row) != bucket([p[:4] for p in found], {p[4] for p in found}):
                sys.exit(f"decode.py: bucket {64 * idx + i} of series {series} does not fit")
    for series, sealed, covered, rows in db.execute(
            "SELECT series_id, next_seq, lod_seq, (SELECT count(*) FROM lod WHERE level = 1 AND"
            " lod.series_id = series.series_id) FROM series WHERE kind = 0"):
        assert covered == sealed - sealed % 4096 and rows == covered // 4096, series


def main():
    db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    attempts = dict(db.execute("SELECT attempt_id, ordinal FROM attempt"))
    points = {}
    sealed = dict(db.execute("SELECT series_id, next_seq FROM series"))
    for series, seq, attempt, n, crc, data in db.execute(
            "SELECT series_id, seq, attempt_id, n, crc, data FROM chunk"):
        check(data, crc)
        for i, point in enumerate(chunk(data, n)):
            if seq < sealed[series]:  # else what a purge has not come to yet
                points[series, seq + i] = (*point, attempt)
    for attempt, crc, data in db.execute("SELECT attempt_id, crc, data FROM flush_log"):
        check(data, crc)
        for series, seq, *point in log_row(data):
            if seq >= sealed[series]:
                points[series, seq] = (*point, attempt)
    check_lod(db, points)
    for series, run, tag in db.execute(
            "SELECT series_id, run.name, CAST(tag.name AS BLOB) FROM series JOIN run USING(run_id)"
            " JOIN tag USING(tag_id) WHERE kind = 0 ORDER BY series_id").fetchall():
        seq = 0
        while (series, seq) in points:
            step, wall, bits, kind, attempt = points.pop((series, seq))
            wall = f"{wall:016x}" if kind else signed(wall)
            print(run, tag.hex(), seq, signed(step), wall, f"{bits:016x}", attempts[attempt])
            seq += 1
    if points:
        sys.exit("decode.py: there is a gap")


if __name__ == "__main__":
    main()
