# SPDX-License-Identifier: MIT
"""Writes TensorBoard event files byte by byte, right ones and wrong ones."""
import struct


def _table():
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ 0x82f63b78 if i & 1 else i >> 1
        table.append(i)
    return table


TABLE = _table()


def masked_crc(data):
    crc = 0xffffffff
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xffffffff
    return (crc >> 15 | crc << 17 & 0xffffffff) + 0xa282ead8 & 0xffffffff


def record(data):
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data))


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def message(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def number(field, value):
    return varint(field << 3) + varint(value)


def double(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def single(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def event(step, body, wall=None):
    return record(double(1, 1e9 + step if wall is None else wall) + number(2, step) + body)


def version(wall=1e9):
    return record(double(1, wall) + message(3, b"brain.Event:2"))


def start(step, wall):
    return event(step, message(7, number(1, 1)), wall)


def summary(*values):
    return message(5, b"".join(message(1, v) for v in values))


def simple(tag, value):
    return message(1, tag if isinstance(tag, bytes) else tag.encode()) + single(2, value)


def scalar(step, value, tag="loss", wall=None):
    return event(step, summary(simple(tag, value)), wall)


def scalars(steps, tag="loss", wall=1e9, factor=1.0):
    return b"".join(scalar(s, s * factor, tag, wall + i) for i, s in enumerate(steps))


def metadata(plugin, content=b""):
    return message(9, message(1, message(1, plugin.encode()) + message(2, content)))


def tensor(tag, dtype, shape, payload, plugin=None):
    dims = b"".join(message(2, number(1, d)) for d in shape)
    proto = number(1, dtype) + message(2, dims) + payload
    return message(1, tag.encode()) + (metadata(plugin) if plugin else b"") + message(8, proto)
