# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk: the connections, the model, and the checks after each step."""

import json
import time
from collections import deque

import model as queue
from client import Client, Closed, Reply, Violation, pairs, songs
from model import Check, Model, consumed, exactly, unchanged
from rig import Rig

MODES = ["repeat", "random", "single", "consume"]
# A player with a small library needs far less than these.
DESCRIPTORS, THREADS, CHILDREN, MEMORY = 160, 80, 8, 400


class Walk:
    """The state of a walk. A step calls `ask`, `segue` and the like, and leaves behind what it expects of the queue."""

    def __init__(self, rig: Rig, log):
        self.rig, self.log, self.step, self.kind = rig, log, 0, ""
        self.model, self.recent = Model(), deque(maxlen=30)
        self.patience = rig.patience
        self.call, self.grey = None, 0.0
        self.least: tuple[int, int] | None = None
        self.window: list[tuple[int, int]] = []
        self.tally: dict[str, int] = {}
        # Whether items were consumed, so that an undone edit may lead to a queue that the model does not know.
        self.has_consumed = False
        # The song that played at the end of the previous step, if it was left alone.
        self.playing: str | None = None
        self.reset()
        self.connect()

    # What steps do.

    def note(self, text: str) -> None:
        """Records something that happens."""
        line = f"{self.step}: {text[:300]}"
        self.recent.append(line)
        if self.log:
            self.log.write(line + "\n")

    def reset(self) -> None:
        """Forgets what the previous step expects."""
        self.check: Check = unchanged
        # Whether the step may have changed the state, the modes or the items, or may have restored consumed items.
        self.moves = self.sets = self.edits = self.restores = False

    def connect(self) -> None:
        """Connects to a new player."""
        self.clients = [Client(self.rig.address, self.patience) for _ in range(3)]
        self.model.version, self.model.view = 0, []
        self.least, self.window = None, []

    def ask(self, *lines: str, client: int = 0) -> Reply:
        """Sends a command or a command list, and records it with the response."""
        try:
            reply = self.clients[client].ask(*lines)
        except Closed:
            self.note(f"{client}> {'; '.join(lines)}: closed")
            self.rig.check_alive()
            raise Violation("the player keeps a connection", "a response", f"closed after {lines}") from None
        self.note(f"{client}> {'; '.join(lines)}: {reply}")
        return reply

    def require(self, *lines: str) -> Reply:
        """Sends a command that must succeed."""
        reply = self.ask(*lines)
        if not reply.ok:
            raise Violation(f"{lines} succeeds", "OK", reply)
        return reply

    def segue(self, *words: str) -> tuple[int, str]:
        """Runs a command of the command line; returns its exit status and output."""
        result = self.rig.segue(*words)
        self.note(f"segue {' '.join(words)}: exit status {result.returncode} {result.stderr.strip()[:120]}")
        # A running player is found (8) and is one (9).
        if not 0 <= result.returncode < 8:
            raise Violation("segue ends with a known exit status", "0 to 7", f"{result.returncode}: {result.stderr}")
        if any(not line.startswith("segue: ") for line in result.stderr.splitlines()):
            raise Violation("each message begins with the program's name", "segue: ...", result.stderr)
        return result.returncode, result.stdout

    @property
    def consumes(self) -> bool:
        return self.model.modes.get("consume", "0") != "0"

    @property
    def is_healthy(self) -> bool:
        """Whether all items of the queue can be played."""
        return all(uri.startswith("Steady") or uri.startswith("path:Steady") for _, uri in self.model.items)

    # The checks.

    def sync(self) -> None:
        """Checks the queue and the state after a step, and takes them over."""
        model, consumes = self.model, self.consumes
        for _ in range(100):
            reply = self.clients[0].ask("status", f"plchanges {model.version}", "playlistinfo", "currentsong", "status")
            if not reply.ok:
                raise Violation("the queue can be read", "OK", reply)
            first, status = pairs(reply.parts[0]), pairs(reply.parts[4])
            for one in (first, status):
                self.check_status(one)
            if first["playlist"] == status["playlist"]:
                break
        else:
            raise Violation("the queue comes to rest", "one version", f"{first['playlist']}, {status['playlist']}")
        changes, view = songs(reply.parts[1]), songs(reply.parts[2])
        self.check_version(int(status["playlist"]), changes, view)
        found = [(number(song, "Id"), song[0][6:]) for song in view]
        if len({item for item, _ in found}) < len(found):
            raise Violation("the IDs are unique", "no ID twice", found)
        if [number(song, "Pos") for song in view] != list(range(len(view))) or len(view) != int(status["playlistlength"]):
            raise Violation("the positions count up", f"0 to {status['playlistlength']}", reply.parts[2])
        for part, key, place in [(first, "songid", "song"), (status, "songid", "song"), (status, "nextsongid", "nextsong")]:
            if place in part and (int(part[place]) >= len(found) or found[int(part[place])][0] != int(part[key])):
                raise Violation(f"{place} and {key} agree", part, found)
        if first.get("songid") == status.get("songid") and "songid" in status:
            if f"Id: {status['songid']}" not in reply.parts[3]:
                raise Violation("currentsong is the current one", status["songid"], reply.parts[3])
        for mode in MODES:
            self.check_mode(mode, status[mode])
        if self.restores and self.has_consumed:
            failure = None
        elif consumes or self.consumes or status["consume"] != "0":
            failure = consumed(model.items, found, model.last)
        else:
            failure = self.check(model.items, found, model.last)
        if failure:
            raise Violation("the queue is what the acknowledged edits make of it", failure, found)
        self.check_state(status, found)
        model.take(found)
        model.modes = {mode: status[mode] for mode in MODES}
        model.state, model.volume = status["state"], status["volume"]
        self.playing = None if self.moves or self.edits else status.get("songid")
        self.reset()

    def check_status(self, status: dict[str, str]) -> None:
        if status["state"] not in ("play", "pause", "stop"):
            raise Violation("the state is known", "play, pause or stop", status)
        if "elapsed" in status and "duration" in status and float(status["elapsed"]) > float(status["duration"]):
            raise Violation("elapsed does not exceed duration", status["duration"], status)
        if "elapsed" in status and float(status["elapsed"]) < 0:
            raise Violation("elapsed is not negative", "0 or more", status)

    def check_version(self, version: int, changes: list[list[str]], view: list[list[str]]) -> None:
        """Checks that the version tells the changes to a client that reads only those."""
        model = self.model
        if version < model.version:
            raise Violation("the version of the queue never falls", f"at least {model.version}", version)
        changed = dict(zip((number(song, "Pos") for song in changes), changes))
        known = dict(enumerate(model.view)) | changed
        if [known.get(position) for position in range(len(view))] != view:
            raise Violation(f"plchanges {model.version} gives what playlistinfo does", view, [*known.items()])
        if version == model.version and model.view != view:
            raise Violation("the version grows when the queue changes", f"as in version {version}: {model.view}", view)
        if version > model.version > 0 and model.view == view and self.is_healthy and not self.edits:
            raise Violation("the version grows only when the queue changes", model.version, version)
        model.version, model.view = version, view

    def check_mode(self, mode: str, seen: str) -> None:
        known = self.model.modes.get(mode, seen)
        if seen != known and not self.sets and not (known == "oneshot" and seen == "0"):
            raise Violation(f"the mode {mode} changes only on request", known, seen)

    def check_state(self, status: dict[str, str], found: queue.Items) -> None:
        """Checks that the state has not changed by itself."""
        model, before, after = self.model, self.model.state, status["state"]
        if self.moves or before == after:
            return
        in_call = self.call is not None or time.monotonic() < self.grey
        modes = model.modes
        allowed = {
            ("play", "pause"): modes["single"] != "0" or in_call,
            ("pause", "play"): in_call,
            # At its end, and if nothing can be played, the queue stops.
            ("play", "stop"): modes["repeat"] == "0" or modes["single"] != "0" or self.consumes or model.stops
                or self.edits or not self.is_healthy or not model.items,
            # A pause may meet the end of the last item.
            ("pause", "stop"): self.edits or modes["repeat"] == "0" or model.stops,
            # An edit that left nothing to play has been undone.
            ("stop", "play"): self.restores,
        }
        if not allowed.get((before, after), False):
            raise Violation("the state changes only on request", before, f"{status}, with {found}")

    def await_status(self, rule: str, reached, expected: object = True) -> dict[str, str]:
        """Waits until the status is as it must become."""
        limit = time.monotonic() + self.patience
        while True:
            status = pairs(self.clients[0].ask("status").lines)
            self.check_status(status)
            if reached(status):
                return status
            if time.monotonic() > limit:
                raise Violation(rule, f"{expected} within {self.patience} s", status)
            time.sleep(0.005)

    def listen(self) -> None:
        """Checks that playback advances by itself."""
        start = pairs(self.clients[0].ask("status").lines)
        if start["state"] != "play" or self.call or time.monotonic() < self.grey or not self.model.output:
            return
        mark = lambda status: [status.get(key) for key in ("state", "songid", "elapsed", "playlistlength")]
        status = self.await_status(
            "playback advances", lambda status: mark(status) != mark(start), f"other than {mark(start)}")
        before, after = float(start["elapsed"]), float(status.get("elapsed", 0))
        # What the sound server says of its latency varies a little. A short song may have begun again.
        is_same = mark(start)[:2] == mark(status)[:2] and float(start.get("duration", 0)) > before + 1
        if is_same and after < before - 0.1 and status["songid"] == self.playing:
            raise Violation("elapsed does not go back by itself", f"at least {before}", status)
        self.playing = status.get("songid")
        self.moves = True

    def compare(self) -> None:
        """Checks that the command line says what the socket says."""
        for _ in range(20):
            before = pairs(self.clients[0].ask("status").lines)
            told = json.loads(self.segue("status", "--json")[1])
            after = pairs(self.clients[0].ask("status").lines)
            stable = ("state", "songid", "playlist", "volume", *MODES)
            if [before.get(key) for key in stable] == [after.get(key) for key in stable]:
                break
        else:
            return
        phases = {"playing": "play", "paused": "pause", "stopped": "stop"}
        seen = {
            "state": phases.get(told["phase"]), "playlistlength": str(told["queueCount"]), "volume": str(told["volume"]),
            "repeat": "0" if told["modes"]["repeat"] == "off" else "1",
            "random": "0" if told["modes"]["random"] == "off" else "1",
        }
        if "song" in after:
            seen["song"] = str(told.get("queuePosition"))
        expected = {key: after[key] for key in seen}
        if seen != expected:
            raise Violation("status --json agrees with status", expected, told)
        self.moves = True

    def compare_queue(self) -> None:
        """Checks that the command line lists the same queue."""
        for _ in range(20):
            before = self.clients[0].ask("status", "playlistinfo")
            _, output = self.segue("queue", "--json")
            after = self.clients[0].ask("status")
            if pairs(before.parts[0])["playlist"] == pairs(after.lines)["playlist"]:
                break
        else:
            return
        expected = [number(song, "Id") for song in songs(before.parts[1])]
        seen = [item["id"] for item in map(json.loads, output.splitlines())]
        if expected != seen:
            raise Violation("queue --json agrees with playlistinfo", expected, seen)
        self.moves = True

    def check_stored(self) -> None:
        """Checks the saved playlists and the ratings."""
        listed = {line[10:] for line in self.clients[0].ask("listplaylists").lines if line.startswith("playlist: ")}
        if listed != set(self.model.playlists):
            raise Violation("the acknowledged playlists exist", sorted(self.model.playlists), sorted(listed))
        for name in self.model.playlists:
            self.check_playlist(name)
        lines = self.clients[0].ask("sticker find song \"\" rating").lines
        found = {lines[at][6:]: lines[at + 1][16:] for at in range(0, len(lines), 2)}
        if found != self.model.ratings:
            raise Violation("acknowledged ratings are kept", self.model.ratings, found)

    def check_playlist(self, name: str) -> None:
        expected = self.model.playlists[name]
        seen = [line[6:] for line in self.clients[0].ask(f"listplaylist {name}").lines]
        if seen != expected:
            raise Violation(f"the playlist {name} is kept", expected, seen)

    def check_process(self) -> None:
        """Checks that the player leaks nothing, and writes nothing where it must not."""
        descriptors, threads, children = self.rig.counts()
        if descriptors > DESCRIPTORS or threads > THREADS or children > CHILDREN:
            raise Violation("descriptors, threads and children are bounded", (DESCRIPTORS, THREADS, CHILDREN),
                            (descriptors, threads, children))
        self.window.append((descriptors, threads))
        if len(self.window) == 20:
            least = tuple(min(column) for column in zip(*self.window))
            self.window = []
            self.least = self.least or least
            # The connections to the index are opened when they are needed, and stay.
            if least[0] > self.least[0] + 24 or least[1] > self.least[1] + 12:
                raise Violation("no descriptor and no thread leaks", f"about {self.least}", least)
        if (memory := self.rig.memory()) > MEMORY:
            raise Violation("memory is bounded", f"{MEMORY} MiB", f"{memory:.0f} MiB")
        self.tally["memory"] = max(self.tally.get("memory", 0), round(memory))
        if strays := self.rig.strays():
            raise Violation("nothing is written elsewhere", "no file", strays)

    def restarted(self, client: Client, check: Check) -> None:
        """Checks what a new player has after the previous one has ended."""
        client.close()
        for old in self.clients:
            old.close()
        self.connect()
        self.check, self.moves, self.edits = check, True, True
        self.model.output = True
        if self.model.state == "play":
            self.model.state = "stop"
        self.sync()
        if self.model.state != "stop":
            raise Violation("a new player is stopped", "stop", self.model.state)
        self.check_stored()


def number(song: list[str], key: str) -> int:
    """The number in a line of a song."""
    return next(int(line[len(key) + 2:]) for line in song if line.startswith(f"{key}: "))
