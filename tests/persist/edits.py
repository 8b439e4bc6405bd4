"""Ways to damage the bytes of a model file."""

import io
import zipfile

from softwood import load
from softwood.errors import ModelFileError


def loaded_or_complaint(path):
    try:
        return load(path), None
    except ModelFileError as error:
        return None, str(error)


def flip(rng, data):
    for _ in range(rng.choice([1, 1, 1, 2, 10])):
        data[rng.randrange(len(data))] ^= rng.randrange(1, 256)


def set_byte(rng, data):
    data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF])


def truncate(rng, data):
    del data[rng.randrange(len(data)) :]


def delete(rng, data):
    start = rng.randrange(len(data))
    del data[start : start + rng.choice([1, 2, 7, 100])]


def insert(rng, data):
    start = rng.randrange(len(data) + 1)
    data[start:start] = rng.randbytes(rng.choice([1, 2, 7, 100]))


def copy_part(rng, data):
    start, to, size = rng.randrange(len(data)), rng.randrange(len(data)), rng.randrange(1, 200)
    data[to : to + size] = data[start : start + size]


def swap_parts(rng, data):
    size = rng.randrange(1, 40)
    a, b = sorted(rng.sample(range(len(data) - size), 2))
    data[a : a + size], data[b : b + size] = data[b : b + size], data[a : a + size]


def rezip(data, change):
    """Change the list of (name, content) of a zip; its checksums of members become right."""
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    change(members)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    data[:] = buffer.getvalue()


def swap_members(rng, data):
    def change(members):
        i, j = rng.sample(range(len(members)), 2)
        (a, x), (b, y) = members[i], members[j]
        members[i], members[j] = (a, y), (b, x)

    rezip(data, change)


def drop_member(rng, data):
    rezip(data, lambda members: members.pop(rng.randrange(len(members))))


def add_member(rng, data):
    rezip(data, lambda members: members.append((f"extra{rng.random()}", b"more")))


def edit_member(rng, data):
    def change(members):
        i = rng.randrange(len(members))
        name, content = members[i]
        content = bytearray(content or b"\0")
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        members[i] = (name, bytes(content))

    rezip(data, change)


EDITS = [
    *[flip, set_byte, truncate, delete, insert, copy_part, swap_parts],
    *[swap_members, drop_member, add_member, edit_member],
]
