# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection with the MPD protocol, and what its responses say."""

import socket
import time
from dataclasses import dataclass, field


class Violation(Exception):
    """Something that must hold did not."""

    def __init__(self, rule: str, expected: object, seen: object):
        super().__init__(f"{rule}\n  expected: {expected}\n  seen:     {seen}")


class Closed(Exception):
    """The player closed the connection."""


@dataclass
class Reply:
    """The response to a command or a command list: its lines, the lines of each command of a list, and the error."""

    lines: list[str] = field(default_factory=list)
    parts: list[list[str]] = field(default_factory=list)
    error: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None

    def __str__(self) -> str:
        return self.error or "OK"


class Client:
    """A connection to the player's socket. It must answer within `patience` seconds."""

    slowest = (0.0, "")

    def __init__(self, path: str, patience: float):
        self.patience, self.buffer, self.last = patience, b"", "the greeting"
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(patience)
        try:
            self.socket.connect(path)
            greeting = self.line()
        except OSError:
            self.close()
            raise
        if not greeting.startswith("OK MPD"):
            raise Violation("a player greets", "OK MPD", greeting)

    def close(self) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.last = data[:120].decode(errors="replace").strip()
        try:
            self.socket.sendall(data)
        except TimeoutError:
            raise Violation("the player reads its socket", f"within {self.patience} s", self.last) from None
        except OSError:
            raise Closed(self.last) from None

    def line(self) -> str:
        while b"\n" not in self.buffer:
            try:
                part = self.socket.recv(1 << 16)
            except TimeoutError:
                raise Violation("the player answers", f"within {self.patience} s", self.last) from None
            except OSError:
                part = b""
            if not part:
                raise Closed(self.last)
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode(errors="replace")

    def reply(self) -> Reply:
        reply, start = Reply(), 0
        while True:
            line = self.line()
            if line == "OK":
                return reply
            if line.startswith("ACK"):
                reply.error = line
                return reply
            if line == "list_OK":
                reply.parts.append(reply.lines[start:])
                start = len(reply.lines)
            else:
                reply.lines.append(line)

    def ask(self, *lines: str) -> Reply:
        """Sends a command or, if there are several, a command list; returns the response."""
        if len(lines) > 1:
            lines = ("command_list_ok_begin", *lines, "command_list_end")
        start = time.monotonic()
        self.send("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))
        reply = self.reply()
        Client.slowest = max(Client.slowest, (time.monotonic() - start, self.last))
        return reply


def quoted(word: str) -> str:
    """The word as an argument."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def pairs(lines: list[str]) -> dict[str, str]:
    """The keys and values of a response in which each key appears once."""
    return dict(line.split(": ", 1) for line in lines)


def songs(lines: list[str]) -> list[list[str]]:
    """The lines of each song of a listing, without the time of its file, which belongs to the library."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith("file: "):
            found.append([])
        if not line.startswith("Last-Modified: "):
            found[-1].append(line)
    return found
