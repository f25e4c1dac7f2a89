#!/usr/bin/env python3
"""Writes the seeds of fuzz targets whose inputs are not text.

    python3 fuzz/make_binary_seeds.py

The files are committed. This script shows what is in them.
"""
import base64
import gzip
import json
import pathlib
import struct
import zlib

CORPUS = pathlib.Path(__file__).parent / "corpus"


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


# npy ------------------------------------------------------------------------
def npy(descr, shape, data, fortran=False, version=1):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape})
    header = header.encode() + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


write("npy", "float", npy("<f4", (2, 3), struct.pack("<6f", *range(6))))
write("npy", "fortran", npy("<i8", (2, 2), struct.pack("<4q", 1, 2, 3, 4), True, 2))
write("npy", "bytes", npy("|u1", (5,), b"abcde", version=3))
write("npy", "scalar", npy("<f8", (), struct.pack("<d", 1.5)))


# flat_trees, predictor_file -------------------------------------------------
def trees(base, starts, nodes):
    packed = struct.pack("<fI", base, len(starts))
    packed += b"".join(struct.pack("<I", start) for start in starts)
    return packed + b"".join(struct.pack("<fII", *node) for node in nodes)


STUMP = [(0.5, 1, 0), (-1.0, 0, 0), (1.0, 0, 0)]
TWO = STUMP + [(2.0, 4, 2 | 1 << 31), (1.5, 6, 3), (0.1, 0, 0), (0.2, 0, 0),
               (0.3, 0, 0)]
write("flat_trees", "none", trees(0.25, [], []))
write("flat_trees", "stump", trees(0.5, [0], STUMP))
write("flat_trees", "two", trees(0.5, [0, 3], TWO))
XGBOOST = {"learner": {
    "learner_model_param": {"base_score": "5E-1"},
    "gradient_booster": {"model": {"trees": [{
        "left_children": [1, -1, -1], "right_children": [2, -1, -1],
        "split_indices": [3, 0, 0], "split_conditions": [0.5, -1, 1],
        "default_left": [1, 0, 0]}]}}}}
write("flat_trees", "xgboost.json", json.dumps(XGBOOST).encode())

COLUMNS = [("conv_layers", "log2"), ("pool_layers", "log2"),
           ("fc_layers", "log2"), ("filter_details", "log2"),
           ("total_parameters", "log2"), ("model_input_size", "log2 bytes"),
           ("model_output_size", "log2 bytes"), ("load", "share"),
           ("cpus", "log2 CPUs"), ("threads", "1"),
           ("threads_per_cpu", "log2"), ("conv_over_gemm", "log2"),
           ("depthwise_over_gemm", "log2"),
           ("flops_over_bytes", "log2 operations per byte"),
           ("node_flops", "log2 operations")]
PREDICTOR = {
    "format": "mete predictor", "version": 2, "kind": "counts",
    "quantity": "seconds",
    "training": {"rows": 10, "networks": 2, "devices": ["a"],
                 "engines": ["onnxruntime 1.22.0"], "table_sha256": "abc",
                 "seed": 1, "mete_version": "0.1.0",
                 "trained_at": "2026-11-16T10:00:00Z"},
    "errors": {}, "radius_log": 0.4, "ratio_radius_log": 0.1,
    "load_exponent": 1.0,
    "columns": [{"name": name, "unit": unit, "low": 0.0, "high": 10.0}
                for name, unit in COLUMNS],
    "trees": base64.b64encode(trees(0.5, [0, 3], TWO)).decode()}
write("predictor_file", "counts.json", json.dumps(PREDICTOR).encode())
PREDICTOR["trees"] = base64.b64encode(trees(0.0, [], [])).decode()
del PREDICTOR["ratio_radius_log"]
write("predictor_file", "roofline.json", json.dumps(PREDICTOR).encode())


# hook_wire ------------------------------------------------------------------
def record(kind, name, value, at=1000):
    body = struct.pack("<BBQd", kind, len(name), at, value) + name
    return struct.pack("<H", len(body) + 2) + body


def datagram(records, version=1):
    body = b"".join(records)
    return b"METE" + struct.pack("<BBHIIQQ", version, 0, len(records), 77,
                                 32 + len(body), 5, 0) + body


write("hook_wire", "empty", datagram([]))
write("hook_wire", "kinds", datagram([
    record(1, b"frame", 0.02), record(2, b"hits", 3), record(3, b"level", -1.5),
    record(4, b"", 7), record(9, b"later", 1)]))
write("hook_wire", "future", datagram([record(3, b"level", 1, at=2**63)]))
write("hook_wire", "version", datagram([record(3, b"level", 1)], version=2))


# docker_frames --------------------------------------------------------------
def frame(stream, text):
    return struct.pack(">BxxxI", stream, len(text)) + text


write("docker_frames", "both", frame(1, b"out\n") + frame(2, b"error\n"))
write("docker_frames", "empty", frame(1, b"") + frame(0, b"in"))
write("docker_frames", "truncated", frame(1, b"many words")[:12])
write("docker_frames", "pull.json", b"""\
{"status":"Pulling from library/busybox","id":"latest"}
{"status":"Downloading","progressDetail":{"current":100,"total":4000},"id":"a1"}
{"status":"Download complete","progressDetail":{},"id":"a1"}
{"error":"no space","errorDetail":{"message":"no space left on device"}}
""")


# gzip -----------------------------------------------------------------------
TEXT = gzip.compress(b"a text, a text, a text\n" * 4, mtime=0)
write("gzip", "text", TEXT)
write("gzip", "two", TEXT + gzip.compress(b"more", mtime=0))
write("gzip", "empty", gzip.compress(b"", mtime=0))
write("gzip", "truncated", TEXT[:-6])


# picture --------------------------------------------------------------------
def png(width, height, color, rows):
    def chunk(kind, content):
        check = zlib.crc32(kind + content)
        return (struct.pack(">I", len(content)) + kind + content +
                struct.pack(">I", check))
    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def bmp(width, height):
    row = bytes(range(3 * width)) + b"\0" * (-3 * width % 4)
    pixels = row * height
    return (b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) +
            struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0,
                        len(pixels), 2835, 2835, 0, 0) + pixels)


write("picture", "color.png",
      png(3, 2, 2, b"\0" + bytes(range(9)) + b"\1" + bytes(range(9))))
write("picture", "gray.png", png(2, 2, 0, b"\2ab\4cd"))
write("picture", "color.bmp", bmp(3, 2))
write("picture", "one.jpg", base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP////////////////////////////////////"
    "//////////////////////////////////////////////////wgALCAABAAEBAREA/8QA"
    "FBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA="))


# mat ------------------------------------------------------------------------
def element(kind, content):
    return (struct.pack("<II", kind, len(content)) + content +
            b"\0" * (-len(content) % 8))


def matrix(name, kind, sizes, *content):
    return element(14, element(6, struct.pack("<II", kind, 0)) +
                   element(5, struct.pack("<%di" % len(sizes), *sizes)) +
                   element(1, name) + b"".join(content))


def vector(name, *values):
    data = struct.pack("<%dd" % len(values), *values)
    return matrix(name, 6, (len(values), 1), element(9, data))


def structure(name, fields, *values, count=1):
    names = b"".join(field.ljust(32, b"\0") for field in fields)
    return matrix(name, 2, (1, count), struct.pack("<HHI", 5, 4, 32),
                  element(1, names), *values)


def text(content):
    return matrix(b"", 4, (1, len(content)), element(16, content))


MAT = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H2s", 0x0100, b"IM")
SIGNAL = vector(b"X097_DE_time", 1, -2, 3)
BEARING = structure(b"bearing", [b"sr", b"gs"], vector(b"", 48828),
                    vector(b"", 4, 5))
CHANNELS = structure(b"N15", [b"Y"], structure(
    b"", [b"Name", b"Data"], text(b"force"), vector(b"", 8),
    text(b"vibration_1"), vector(b"", 6, 7), count=2))
write("mat", "vector", MAT + SIGNAL)
write("mat", "all", MAT + SIGNAL + BEARING + CHANNELS)
PACKED = zlib.compress(SIGNAL)
write("mat", "packed", MAT + struct.pack("<II", 15, len(PACKED)) + PACKED)


# onnx_reader ----------------------------------------------------------------
def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def value_info(name, sizes):
    shape = b"".join(field(1, field(1, size)) for size in sizes)
    tensor = field(1, 1) + field(2, shape)
    return field(1, name) + field(2, field(1, tensor))


def node(op, inputs, outputs, *attributes):
    return (b"".join(field(1, name) for name in inputs) +
            b"".join(field(2, name) for name in outputs) + field(4, op) +
            b"".join(field(5, attribute) for attribute in attributes))


def integers(name, values):
    return (field(1, name) + b"".join(field(8, value) for value in values) +
            field(20, 7))


def tensor(name, sizes, data):
    return (b"".join(field(1, size) for size in sizes) + field(2, 1) +
            field(8, name) + field(9, data))


def network(nodes, constants, inputs, outputs):
    graph = (b"".join(field(1, one) for one in nodes) + field(2, b"graph") +
             b"".join(field(5, one) for one in constants) +
             b"".join(field(11, one) for one in inputs) +
             b"".join(field(12, one) for one in outputs))
    return field(1, 8) + field(8, field(1, b"") + field(2, 13)) + field(7, graph)


write("onnx_reader", "gemm", network(
    [node(b"Gemm", [b"x", b"w"], [b"y"])],
    [tensor(b"w", [4, 3], b"\0" * 48)],
    [value_info(b"x", [1, 4])], [value_info(b"y", [1, 3])]))
write("onnx_reader", "conv", network(
    [node(b"Conv", [b"x", b"w"], [b"c"], integers(b"kernel_shape", [3, 3]),
          integers(b"pads", [1, 1, 1, 1])),
     node(b"Relu", [b"c"], [b"r"]),
     node(b"MaxPool", [b"r"], [b"y"], integers(b"kernel_shape", [2, 2]),
          integers(b"strides", [2, 2]))],
    [tensor(b"w", [2, 1, 3, 3], b"\0" * 72)],
    [value_info(b"x", [1, 1, 8, 8])], [value_info(b"y", [1, 2, 4, 4])]))
