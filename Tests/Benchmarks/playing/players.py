# SPDX-License-Identifier: GPL-3.0-or-later
"""The measured players, and how each plays one file through PulseAudio."""

import json
import shutil
import socket
import subprocess
from pathlib import Path

from sound import SoundServer, wait_for


def segue(program: Path, output: str = "pulse"):
    def play(server: SoundServer, file: Path) -> subprocess.Popen:
        return server.start([str(program), "play", str(file), "--output", output])

    return play


def mpd(server: SoundServer, file: Path) -> subprocess.Popen:
    directory = server.directory
    (directory / "music").mkdir()
    (directory / "music/ruler.flac").symlink_to(file)
    (directory / "mpd.conf").write_text(
        f'music_directory "{directory}/music"\ndb_file "{directory}/db"\nstate_file "{directory}/mpdstate"\n'
        f'bind_to_address "{directory}/mpd.sock"\nlog_file "{directory}/mpd.log"\n'
        'audio_output {\n  type "pulse"\n  name "bench"\n}\n')
    process = server.start(["mpd", "--no-daemon", str(directory / "mpd.conf")])
    wait_for("mpd", lambda: responds(directory / "mpd.sock"))
    send(directory / "mpd.sock", "update")
    wait_for("mpd's library", lambda: send(directory / "mpd.sock", "add ruler.flac"))
    send(directory / "mpd.sock", "play")
    return process


def responds(path: Path) -> bool:
    try:
        return send(path, "ping")
    except OSError:
        return False


def send(path: Path, line: str) -> bool:
    """Sends mpd a command; returns whether it succeeded."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(str(path))
        with connection.makefile("rw") as stream:
            stream.readline()
            stream.write(line + "\n")
            stream.flush()
            while answer := stream.readline():
                if answer.startswith(("OK", "ACK")):
                    return answer.startswith("OK")
    return False


def cmus(server: SoundServer, file: Path) -> subprocess.Popen:
    path = server.directory / "cmus.sock"
    settings = server.directory / ".config/cmus"
    settings.mkdir(parents=True)
    (settings / "rc").write_text("set output_plugin=pulse\n")
    process = server.start_in_terminal(["cmus", "--listen", str(path)])
    wait_for("cmus", path.exists)
    subprocess.run(
        ["cmus-remote", "--server", str(path), "-f", str(file)], env=server.environment, check=True, timeout=10)
    return process


def mpv(server: SoundServer, file: Path) -> subprocess.Popen:
    return server.start(["mpv", "--no-config", "--no-video", "--ao=pulse", "--no-terminal", str(file)])


def segue_controls(program: Path, output: str):
    def start(server: SoundServer, file: Path) -> dict:
        player = server.start([str(program), "repl", "--output", output], stdin=subprocess.PIPE)

        def control(line: str):
            def enter(number: int) -> None:
                player.stdin.write(line.format(number=number, second=20 + 7 * number).encode() + b"\n")
                player.stdin.flush()

            return enter

        second = server.directory / "second.flac"
        second.symlink_to(file)
        control(f"play '{file}'")(0)
        control(f"queue add '{second}'")(0)
        return {
            "pause": control("pause"), "resume": control("resume"), "seek": control("seek {second}"),
            "volume": control("volume 50"), "volume back": control("volume 100"), "next": control("next"),
            "previous": control("queue jump 1"),
        }

    return start


def mpd_controls(server: SoundServer, file: Path) -> dict:
    mpd(server, file)
    path = server.directory / "mpd.sock"
    send(path, "setvol 100")
    return {
        "pause": lambda _: send(path, "pause 1"), "resume": lambda _: send(path, "pause 0"),
        "seek": lambda number: send(path, f"seekcur {20 + 7 * number}"),
        "volume": lambda _: send(path, "setvol 50"), "volume back": lambda _: send(path, "setvol 100"),
    }


def cmus_controls(server: SoundServer, file: Path) -> dict:
    cmus(server, file)

    def control(*arguments: str) -> None:
        subprocess.run(
            ["cmus-remote", "--server", str(server.directory / "cmus.sock"), *arguments], env=server.environment,
            check=True, timeout=10)

    return {
        "pause": lambda _: control("-u"), "resume": lambda _: control("-u"),
        "seek": lambda number: control("--seek", str(20 + 7 * number)),
        "volume": lambda _: control("--volume", "50%"), "volume back": lambda _: control("--volume", "100%"),
    }


def mpv_controls(server: SoundServer, file: Path) -> dict:
    path = server.directory / "mpv.sock"
    server.start(
        ["mpv", "--no-config", "--no-video", "--ao=pulse", "--no-terminal", f"--input-ipc-server={path}", str(file)])

    def is_listening() -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(path)) == 0

    wait_for("mpv", is_listening)

    def control(*command) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            connection.sendall(json.dumps({"command": command}).encode() + b"\n")
            connection.recv(4096)

    return {
        "pause": lambda _: control("set_property", "pause", True),
        "resume": lambda _: control("set_property", "pause", False),
        "seek": lambda number: control("seek", 20 + 7 * number, "absolute"),
        "volume": lambda _: control("set_property", "volume", 50),
        "volume back": lambda _: control("set_property", "volume", 100),
    }


def ogg123(server: SoundServer, file: Path) -> subprocess.Popen:
    return server.start(["ogg123", "-q", "-d", "pulse", str(file)])


def all_players(program: Path) -> dict:
    """The installed players by name; Segue first."""
    others = {"mpd": mpd, "cmus": cmus, "mpv": mpv, "ogg123": ogg123}
    installed = {name: play for name, play in others.items() if shutil.which(name)}
    return {"segue": segue(program), "segue, libao": segue(program, "ao:pulse")} | installed


def remote_controls(program: Path) -> dict:
    """Functions that start the installed players, and return the commands that each can be sent; Segue first."""
    others = {"mpd": mpd_controls, "cmus": cmus_controls, "mpv": mpv_controls}
    installed = {name: start for name, start in others.items() if shutil.which(name)}
    return {"segue": segue_controls(program, "pulse"), "segue, libao": segue_controls(program, "ao:pulse")} | installed
