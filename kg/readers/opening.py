"""Opens sources: unpacks compressions and archives, member by member, within bounds and never to named files on disk."""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, cast

from kg.readers import limits
from kg.readers.base import Fault, Input
from kg.readers.source import SourceFile

_TAIL = 22 + 65535 + 20 + 56
"""The last records of a zip archive, its comment among them, are within so many bytes of its end."""
_ENTRY = 400
"""Bytes of one entry in the list of members, names of 350 letters among them."""
REMEDY_DAMAGED = "get the file again, or unpack what is left of it with its own tool"


class Guarded(io.RawIOBase):
    """Reads on until something is wrong, keeps what was wrong in `fault`, and then ends like a file: all bytes before the fault are used.

    Args:
        source: the unpacked stream.
        size: read no further than this many bytes (a file that grows while it is read), or None.
        packed: tells how many packed bytes were used so far, to notice bombs; None for what is not packed.

    """

    def __init__(self, source: IO[bytes], *, size: int | None = None, packed: Callable[[], int] | None = None) -> None:
        self._read: Callable[[int], bytes] = getattr(source, "read1", source.read)
        self._size = size
        self._packed = packed
        self.count = 0
        self.fault = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        if self.fault:
            return 0
        want = len(buffer) if self._size is None else min(len(buffer), self._size - self.count)
        try:
            data = self._read(want) if want > 0 else b""
        except Exception as error:  # decompressors raise many kinds; every one means that the rest is lost
            self.fault = _damage(error)
            return 0
        self.count += len(data)
        if self._packed and self.count > limits.EXPANSION_FREE and self.count > limits.EXPANSION * max(1, self._packed()):
            self.fault = f"unpacks to more than {limits.EXPANSION} times its size, as a zip bomb does; reading stopped"
            return 0
        buffer[: len(data)] = data
        return len(data)


def _damage(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "the compressed data ends early (truncated file)"
    if isinstance(error, RuntimeError) and "password" in str(error):
        return "the archive member is encrypted"
    return f"the data is damaged: {str(error) or type(error).__name__}"


class _Rejoined(io.RawIOBase):
    """A stream put together again from the bytes already looked at and the rest."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        if self._head:
            part = self._head[: len(buffer)]
            self._head = self._head[len(part) :]
        else:
            part = memoryview(self._rest.read(len(buffer)))
        buffer[: len(part)] = part
        return len(part)


class _Xz(io.RawIOBase):
    """Unpacks .xz and .lzma within a bound on the memory that the file asks for, which lzma.LZMAFile has not."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._part = lzma.LZMADecompressor(memlimit=limits.WINDOW)

    def readable(self) -> bool:
        return True

    def read1(self, size: int) -> bytes:
        """Some bytes, b"" at the end."""
        while True:
            data = b""
            if self._part.eof:
                data = (self._part.unused_data or self._stream.read(limits.CHUNK)).lstrip(b"\0")
                if not data and not (data := self._stream.read(limits.CHUNK)):
                    return b""
                self._part = lzma.LZMADecompressor(memlimit=limits.WINDOW)
            elif self._part.needs_input and not (data := self._stream.read(limits.CHUNK)):
                raise EOFError
            if unpacked := self._part.decompress(data, size):
                return unpacked


def _zstd(stream: IO[bytes]) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        try:
            from backports import zstd
        except ImportError:
            raise ModuleNotFoundError("kg[zstd]") from None
    return zstd.ZstdFile(stream)


def _gzip(stream: IO[bytes]) -> Any:
    return gzip.GzipFile(fileobj=stream)


_COMPRESSIONS: tuple[tuple[bytes, Callable[[IO[bytes]], Any]], ...] = (
    (b"\x1f\x8b", _gzip),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", _Xz),
    (b"\x28\xb5\x2f\xfd", _zstd),
)


def opened(source: SourceFile, stdin: BinaryIO | None = None) -> Iterator[Input | Fault]:
    """The inputs of a source: one, or one per member of an archive; each must be read before the next is asked for. Faults name the member."""
    if source.problem:
        yield Fault("", source.problem, source.remedy)
        return
    if source.path is None:
        yield from _unpacked(source.name, source.label, Guarded(stdin or sys.stdin.buffer), None, 0)
        return
    try:
        with source.path.open("rb") as file:
            before = stat_of(source.path)
            size = before.st_size if stat.S_ISREG(before.st_mode) else None
            yield from _unpacked(source.name, source.label, Guarded(file, size=size), source.path if size is not None else None, 0)
            after = stat_of(source.path)
            if size is not None and (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                yield Fault("", "the file changed while it was read", "build again when it is complete")
    except OSError as error:
        reason = "the file vanished" if isinstance(error, FileNotFoundError) else (error.strerror or str(error)).lower()
        yield Fault("", reason, "check that the file is there and may be read")


def stat_of(path: Path) -> os.stat_result:
    """The file's status; a name of its own so that tests can change a file at this very moment."""
    return path.stat()


def _unpacked(name: str, label: str, raw: Guarded, file: Path | None, level: int) -> Iterator[Input | Fault]:
    buffered = io.BufferedReader(raw, limits.CHUNK)
    head = buffered.read(limits.HEAD)
    stream = io.BufferedReader(_Rejoined(head, buffered), limits.CHUNK)
    if level > limits.ARCHIVES:
        yield Fault("", f"more than {limits.ARCHIVES} archives inside each other", "unpack the outer ones", name)
        return
    if compression := next((make for magic, make in _COMPRESSIONS if head.startswith(magic)), None):
        yield from _decompressed(name, label, partial(compression, stream), raw, level)
    elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield from _zip(name, label, stream, file, level)
    elif head[257:262] == b"ustar":
        yield from _tar(name, label, stream, level)
    elif head or not raw.fault:
        yield Input(name, label, cast(io.BufferedReader, stream), head, file)
    if raw.fault:
        yield Fault("", raw.fault, REMEDY_DAMAGED, name)


def _decompressed(name: str, label: str, inner_of: Callable[[], Any], raw: Guarded, level: int) -> Iterator[Input | Fault]:
    try:
        inner = inner_of()
    except ModuleNotFoundError as error:
        yield Fault("", f"{error} is needed to read .zst files", f"pip install '{error}'", name)
        return
    except Exception as error:
        yield Fault("", _damage(error), REMEDY_DAMAGED, name)
        return
    yield from _unpacked(name, label, Guarded(inner, packed=lambda: raw.count), None, level + 1)


def _refused(member: str) -> str:
    path = PurePosixPath(member.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (len(member) > 1 and member[1] == ":"):
        return "the member's path leads out of the archive"
    return ""


def _junk(member: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(member).parts)


def _zip(name: str, label: str, stream: IO[bytes], file: Path | None, level: int) -> Iterator[Input | Fault]:
    with tempfile.TemporaryFile() if file is None else file.open("rb") as seekable:
        if file is None and not _spooled(stream, seekable):
            yield Fault("", f"an archive of more than {limits.SPOOL >> 30} GiB that cannot be read in place", "unpack it", name)
            return
        if _directory(seekable) > limits.MEMBERS * _ENTRY:
            yield Fault("", f"the zip archive says that it has far more than {limits.MEMBERS:,} members; it is not read", "split the archive", name)
            return
        try:
            archive = zipfile.ZipFile(seekable)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, OverflowError) as error:
            yield Fault("", f"the zip archive is damaged: {error}", REMEDY_DAMAGED, name)
            return
        members = [info for info in archive.infolist() if not info.is_dir()]
        for info in members[: limits.MEMBERS]:
            yield from _zip_member(name, label, archive, info, level)
        if len(members) > limits.MEMBERS:
            yield Fault("", f"more than {limits.MEMBERS} members; the rest is not read", "split the archive", name)


def _directory(file: IO[bytes]) -> int:
    """How large a zip archive says its list of members is (bytes); 0 when it does not say."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    file.seek(0)
    end, large = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    if large >= 0:
        return int.from_bytes(tail[large + 40 : large + 48], "little")
    return int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0


def _zip_member(name: str, label: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, level: int) -> Iterator[Input | Fault]:
    inner = f"{name}!{info.filename}"
    if reason := _refused(info.filename):
        yield Fault("", reason, "repack the archive", inner)
    elif not _junk(info.filename):
        try:
            member = archive.open(info)
        except Exception as error:
            yield Fault("", _damage(error), REMEDY_DAMAGED, inner)
            return
        with member:
            yield from _unpacked(inner, f"{label}!{info.filename}", Guarded(member, packed=lambda: info.compress_size), None, level + 1)


def _spooled(stream: IO[bytes], target: IO[bytes]) -> bool:
    total = 0
    while chunk := stream.read(limits.CHUNK):
        total += len(chunk)
        if total > limits.SPOOL:
            return False
        target.write(chunk)
    target.seek(0)
    return True


def _tar(name: str, label: str, stream: IO[bytes], level: int) -> Iterator[Input | Fault]:
    count = 0
    try:
        with tarfile.open(fileobj=stream, mode="r|", errorlevel=0) as archive:
            for member in archive:
                count += 1
                if count > limits.MEMBERS:
                    yield Fault("", f"more than {limits.MEMBERS} members; the rest is not read", "split the archive", name)
                    return
                inner = f"{name}!{member.name}"
                if reason := _refused(member.name):
                    yield Fault("", reason, "repack the archive", inner)
                elif member.isfile() and not _junk(member.name):
                    content = archive.extractfile(member)
                    if content:
                        yield from _unpacked(inner, f"{label}!{member.name}", Guarded(content), None, level + 1)
                elif not member.isfile() and not member.isdir():
                    yield Fault("", "a link or device in an archive is not followed", "pack the file itself", inner)
    except (tarfile.TarError, EOFError, OSError) as error:
        yield Fault("", f"the tar archive is damaged: {error}", REMEDY_DAMAGED, name)
