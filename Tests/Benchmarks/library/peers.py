# SPDX-License-Identifier: GPL-3.0-or-later
"""The players that Segue's scans are compared with: mpd and cmus, each with a private home, socket and database."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class Failure(Exception):
    """The error of a player that did not do what was requested."""


def wait_for(what: str, condition, seconds: float = 20) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise Failure(f"no {what} within {seconds:.0f} s")
        time.sleep(0.01)


class Private:
    """A process with a private home directory; both are removed at the end of the `with` block."""

    def __init__(self, music: Path):
        self.music = music
        self.directory = Path(tempfile.mkdtemp(prefix="segue-bench-"))
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "MPD_", "CMUS_"))
        } | {"HOME": str(self.directory), "XDG_RUNTIME_DIR": str(self.directory), "TERM": "xterm"}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.end()
        shutil.rmtree(self.directory, ignore_errors=True)


class Mpd(Private):
    """mpd; an update is timed from the request until `idle` reports a changed database, or that nothing changed."""

    def start(self) -> None:
        (self.directory / "mpd.conf").write_text(
            f'music_directory "{self.music}"\ndb_file "{self.directory}/db"\nbind_to_address "{self.directory}/sock"\n'
            f'log_file "{self.directory}/log"\nauto_update "no"\naudio_output {{\n  type "null"\n  name "null"\n}}\n')
        self.process = subprocess.Popen(
            ["mpd", "--no-daemon", str(self.directory / "mpd.conf")], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("mpd", (self.directory / "sock").exists)
        self.connection = socket.socket(socket.AF_UNIX)
        wait_for("mpd", lambda: self.connection.connect_ex(str(self.directory / "sock")) == 0)
        self.stream = self.connection.makefile("rw")
        self.stream.readline()

    def send(self, line: str) -> list[str]:
        self.stream.write(line + "\n")
        self.stream.flush()
        answer = []
        while text := self.stream.readline():
            if text.startswith(("OK", "ACK")):
                return answer
            answer.append(text.rstrip())
        raise Failure("mpd has closed the connection")

    def update(self) -> float:
        """The duration of an update in seconds."""
        start = time.perf_counter()
        self.send("update")
        while any(line.startswith("updating_db") for line in self.send("status")):
            self.send("idle update")
        return time.perf_counter() - start

    def song_count(self) -> int:
        return next(int(line.split()[1]) for line in self.send("stats") if line.startswith("songs"))

    def end(self) -> None:
        if hasattr(self, "process"):
            self.process.kill()
            self.process.wait()


class Cmus(Private):
    """cmus in a private terminal. It does not report completion, so it counts as done when it has used no CPU for a second."""

    def start(self) -> None:
        (self.directory / "cmus").mkdir()
        (self.directory / "cmus/rc").write_text("set output_plugin=ao\n")
        self.environment |= {"CMUS_HOME": str(self.directory / "cmus")}
        self.server = ["tmux", "-S", str(self.directory / "tmux")]
        command = f"exec cmus --listen {self.directory}/sock"
        subprocess.run([*self.server, "new-session", "-d", "-x", "100", "-y", "30", command], env=self.environment, check=True)
        list_panes = [*self.server, "list-panes", "-F", "#{pane_pid}"]
        self.pid = int(subprocess.run(list_panes, env=self.environment, check=True, capture_output=True).stdout.split()[0])
        # Confirms any messages at its start.
        for _ in range(3):
            subprocess.run([*self.server, "send-keys", "Enter"], env=self.environment, check=True)
            time.sleep(0.3)
        wait_for("cmus", (self.directory / "sock").exists)

    def seconds(self) -> float:
        """The CPU time so far in seconds."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def add(self) -> tuple[float, float]:
        """The time that adding all files takes, and its CPU time, both in seconds."""
        before = self.seconds()
        start = time.perf_counter()
        subprocess.run(
            ["cmus-remote", "--server", str(self.directory / "sock"), "-C", f"add {self.music}"], env=self.environment,
            check=True, timeout=30)
        last, used = time.perf_counter(), self.seconds()
        while time.perf_counter() - last < 1:
            time.sleep(0.01)
            # An idle cmus uses less than a hundredth of this.
            if (now := self.seconds()) > used + 0.0005:
                last, used = time.perf_counter(), now
        return last - start, used - before

    def end(self) -> None:
        if hasattr(self, "server"):
            subprocess.run(
                [*self.server, "kill-server"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
