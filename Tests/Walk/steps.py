# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a walk. Each is a function of the walk and of a random generator of its own."""

import os
import shutil
import signal
import time
from random import Random

import model as queue
from client import Client, Closed, Violation, pairs, quoted
from model import applied, either, exactly, inserted, permuted, reduced, replaced, unchanged
from rig import SINKS
from walk import Walk

# The number of items from which on the queue is emptied again.
LIMIT = 60
LISTS = ["alpha", "beta", "gamma", "delta"]
DIRECTORIES = ["Steady/Short", "Steady/Mixed", "Steady/Odd", "Steady/Rates", "Shaky", "Steady"]


# Edits of the queue.

def pick_file(walk: Walk, random: Random) -> str:
    names = walk.rig.names
    return random.choice([name for name in names if "Steady" in name] if random.random() < 0.8 else names)


def is_steady(name: str) -> bool:
    return name.removeprefix("path:").startswith("Steady")


def pick_edit(walk: Walk, random: Random, items: queue.Items) -> queue.Edit:
    """An edit that usually applies to these items."""
    count = len(items)
    place = lambda: random.randrange(count + 2) if random.random() < 0.05 else random.randrange(max(1, count))
    ids = [number for number, _ in items if number is not None]
    some_id = lambda: random.choice(ids) if ids and random.random() > 0.05 else random.randrange(100_000)
    if count < 4 or random.random() < 0.35 and count < LIMIT:
        name = pick_file(walk, random)
        while not is_steady(name):
            name = pick_file(walk, random)
        return ("addid", name, random.choice([None, random.randrange(count + 2)]))
    start, end = sorted((place(), place()))
    match random.randrange(7):
        case 0: return ("delete", start, min(end, start + 3) if count < LIMIT else end)
        case 1: return ("deleteid", some_id())
        case 2: return ("move", start, end + 1, place())
        case 3: return ("moveid", some_id(), place())
        case 4: return ("swap", place(), place())
        case 5: return ("swapid", some_id(), some_id())
        case _: return ("clear",) if random.random() < 0.1 else ("swap", place(), place())


def line(edit: queue.Edit) -> str:
    """The edit as a line of the protocol."""
    match edit:
        case ("addid", uri, position): return f"addid {quoted(uri)}" + ("" if position is None else f" {position}")
        case ("delete" | "move" as name, start, end, *rest):
            return " ".join([name, f"{start}:{end}", *map(str, rest)])
    return " ".join(map(str, edit))


def edit(walk: Walk, random: Random) -> None:
    """One edit, over one of the connections."""
    wanted = pick_edit(walk, random, walk.model.items)
    after = applied(wanted, walk.model.items)
    reply = walk.ask(line(wanted), client=random.randrange(3))
    walk.edits, walk.check = True, exactly(after if reply.ok and after is not None else walk.model.items)
    if reply.ok != (after is not None) and not walk.consumes:
        raise Violation(f"the answer to {wanted}", "OK" if after is not None else "ACK", reply)


def edit_list(walk: Walk, random: Random) -> None:
    """A command list of edits, which ends at the first that fails."""
    items, lines, expected = walk.model.items, [], 0
    for _ in range(random.randrange(2, 8)):
        wanted = pick_edit(walk, random, items)
        lines.append(line(wanted))
        if expected == len(lines) - 1 and (after := applied(wanted, items)) is not None:
            items, expected = after, expected + 1
            walk.model.remember(items)
    reply = walk.ask(*lines, client=random.randrange(3))
    walk.edits, walk.check = True, exactly(items)
    if len(reply.parts) != expected and not walk.consumes:
        raise Violation("a command list ends at the first error", f"{expected} successes", f"{len(reply.parts)} {reply}")


def pipeline(walk: Walk, random: Random) -> None:
    """Edits that are sent before the answers to the ones before are read."""
    items, edits = walk.model.items, []
    for _ in range(random.randrange(2, 12)):
        wanted = pick_edit(walk, random, items)
        after = applied(wanted, items)
        edits.append((wanted, after is not None))
        items = items if after is None else after
        walk.model.remember(items)
    client = walk.clients[1]
    walk.note(f"1> {[line(wanted) for wanted, _ in edits]} at once")
    client.send("".join(f"{line(wanted)}\n" for wanted, _ in edits).encode())
    replies = [client.reply() for _ in edits]
    walk.edits, walk.check = True, exactly(items)
    for reply, (wanted, is_valid) in zip(replies, edits):
        if reply.ok != is_valid and not walk.consumes:
            raise Violation(f"the answer to {wanted}", is_valid, reply)


def crowd(walk: Walk, random: Random) -> None:
    """Two clients that add at the same time; none of the additions is lost."""
    names = [[pick_file(walk, random) for _ in range(random.randrange(1, 6))] for _ in range(2)]
    names = [[name for name in part if is_steady(name)] for part in names]
    walk.note(f"1, 2> addid {names} at the same time")
    for client, part in zip(walk.clients[1:], names):
        client.send("".join(f"addid {quoted(name)}\n" for name in part).encode())
    ids = []
    for client, part in zip(walk.clients[1:], names):
        replies = [client.reply() for _ in part]
        if not all(reply.ok for reply in replies):
            raise Violation("addid succeeds", "OK", replies)
        ids.append([int(reply.lines[0][4:]) for reply in replies])
    added = sorted((number, name) for part, of in zip(ids, names) for number, name in zip(part, of))
    walk.edits, walk.check = True, exactly(walk.model.items + added)
    for count in range(len(added)):
        walk.model.remember(walk.model.items + added[:count])


def add(walk: Walk, random: Random) -> None:
    """Files that may be missing or damaged, and whole directories."""
    place = random.randrange(len(walk.model.items) + 1) if random.random() < 0.5 else None
    position = "" if place is None else f" {place}"
    place = len(walk.model.items) if place is None else place
    walk.edits = True
    if random.random() < 0.5 and len(walk.model.items) < LIMIT:
        name = random.choice(DIRECTORIES)
        reply = walk.ask(f"add {quoted(name)}{position}")
        fits = lambda found: all(uri.removeprefix("path:").startswith(name) for uri in found)
    else:
        name = pick_file(walk, random)
        reply = walk.ask(f"add {quoted(name)}{position}")
        fits = lambda found: found == [name]
    walk.check = inserted(place, fits) if reply.ok else unchanged
    if not reply.ok and is_steady(name):
        raise Violation("what is in the library can be added", "OK", reply)


def arrange(walk: Walk, random: Random) -> None:
    """Shuffles, priorities, ranges."""
    items, walk.edits = walk.model.items, True
    start, end = sorted((random.randrange(len(items) + 1), random.randrange(len(items) + 1)))
    match random.randrange(4):
        case 0:
            walk.require("shuffle")
            walk.check = permuted()
        case 1:
            walk.require(f"shuffle {start}:{end}")
            walk.check = permuted(start, end)
        case 2: walk.require(f"prio {random.choice([0, 1, 10, 255])} {start}:{end}")
        case _ if items:
            number = random.choice(items)[0]
            length = random.choice(["0:0.1", "0.05:0.15", "0.1:", ":", "5:3", "0:1000"])
            walk.ask(f"rangeid {number} {length}")


def clear(walk: Walk, random: Random) -> None:
    """Empties the queue, and often fills it again."""
    walk.require("clear")
    walk.edits, walk.check = True, exactly([])
    if random.random() < 0.7:
        walk.sync()
        name = random.choice(["Steady/Short", "Steady/Mixed"])
        walk.require(f"add {name}")
        walk.edits, walk.check = True, inserted(0, lambda found: len(found) in (6, 8))


def command_line_edit(walk: Walk, random: Random) -> None:
    """Edits with the command line."""
    items, walk.edits = walk.model.items, True
    count = len(items)
    start, end = sorted((random.randrange(1, count + 2), random.randrange(1, count + 2)))
    path = lambda name: str(walk.rig.root / "music" / name)
    any_of = lambda prefix: lambda found: all(uri.removeprefix("path:").startswith(prefix) for uri in found)
    match random.randrange(12):
        case 0 if count < LIMIT:
            name = random.choice(DIRECTORIES[:5])
            if walk.segue("queue", "add", path(name))[0] == 0:
                walk.check = inserted(count, any_of(name))
        case 1 if count < LIMIT:
            name = random.choice(DIRECTORIES[:4])
            walk.segue("queue", "next", path(name))
            walk.check = inserted(None, any_of(name))
        case 2 if count < LIMIT:
            walk.segue("queue", "insert", str(start), path("Steady/Mixed/02.m4a"))
            walk.check = either(inserted(start - 1, any_of("Steady/Mixed/02")), unchanged)
        case 3:
            status, _ = walk.segue("queue", "remove", f"{start}-{end}")
            after = items[:start - 1] + items[end:]
            walk.check = exactly(after if status == 0 else items)
        case 4 if count > 1:
            one, other = random.randrange(count), random.randrange(count)
            walk.segue("queue", "swap", str(one + 1), str(other + 1))
            walk.check = exactly(applied(("swap", one, other), items))
        case 5:
            walk.segue("queue", "dedupe")
            walk.check = reduced
        case 6:
            walk.segue("queue", "shuffle", *random.choice([[], ["--albums"]]))
            walk.check = permuted()
        case 7:
            walk.segue("queue", "sort", random.choice(["album", "title", "duration", "path"]))
            walk.check = permuted()
        case 8 if random.random() < 0.3:
            walk.segue("queue", "crop", f"{start}-{end}")
            walk.check = reduced
        case 9 | 10:
            walk.segue("queue", random.choice(["undo", "redo"]), str(random.choice([1, 1, 2, 5])))
            walk.check = lambda old, new, last: None if walk.model.was(new) else "an earlier queue"
            walk.restores = True
        case _:
            walk.segue("play", path(random.choice(DIRECTORIES[:4])))
            walk.check, walk.moves = replaced, True


# Playback.

def transport(walk: Walk, random: Random) -> None:
    """Commands that start, stop and skip."""
    items, walk.moves, walk.edits = walk.model.items, True, True
    count = max(1, len(items))
    number = random.choice(items)[0] if items else 0
    seconds = random.choice(["0", "0.1", "0.5", "1", "2.5", "29", "1000000", "-1", "+0.3", "-0.2", "nan", "1e30"])
    command = random.choice([
        "play", "play", f"play {random.randrange(count + 1)}", f"playid {number}", f"playid {number}", "next", "next",
        "previous", "pause", "pause 0", "pause 1", "stop", f"seek {random.randrange(count)} {seconds}",
        f"seekid {number} {seconds}", f"seekcur {seconds}", f"seekcur {seconds}",
    ])
    reply = walk.ask(command, client=random.randrange(3))
    if not reply.ok:
        return
    state = pairs(walk.require("status").lines)["state"]
    if command in ("pause 1", "stop") and state == "play" or command == "stop" and state != "stop":
        raise Violation(f"{command} acts before it is answered", command, state)


def command_line_transport(walk: Walk, random: Random) -> None:
    """The same with the command line."""
    walk.moves = walk.edits = True
    command = random.choice([
        ["pause"], ["resume"], ["toggle"], ["next"], ["previous"], ["stop"], ["seek", "1"], ["seek", "+0.5"],
        ["seek", "-1"], ["seek", "1:00:00"], ["play"], ["queue", "play", str(random.randrange(1, 6))],
    ])
    walk.segue(*command)
    if command[0] in ("pause", "stop") and pairs(walk.require("status").lines)["state"] == "play":
        raise Violation(f"segue {command[0]} acts before it ends", command[0], "play")


def modes(walk: Walk, random: Random) -> None:
    """The modes of the queue, each read back."""
    mode, walk.sets = random.choice(["repeat", "random", "single", "consume"]), True
    # What is consumed leaves little to check.
    value = random.choice({"repeat": "0111", "random": "01", "single": "0001", "consume": "00001"}[mode])
    if mode in ("single", "consume") and random.random() < 0.15:
        value = "oneshot"
    walk.require(f"{mode} {value}")
    seen = pairs(walk.require("status").lines)[mode]
    if seen != value and value != "oneshot":
        raise Violation(f"{mode} {value} acts before it is answered", value, seen)
    if mode == "consume" and value != "0":
        walk.model.modes["consume"] = value
        walk.has_consumed = True


def command_line_modes(walk: Walk, random: Random) -> None:
    walk.sets = True
    name, value = random.choice([
        ("repeat", "all"), ("repeat", "off"), ("repeat", "album"), ("repeat", "one"), ("random", "albums"),
        ("random", "tracks"), ("random", "off"), ("single", "off"), ("single", "once"), ("consume", "off"),
        ("stop-after", "off"), ("stop-after", "album"), ("stop-after", "current"),
    ])
    walk.segue("mode", name, value)
    if name == "stop-after" or value == "album":
        walk.model.stops = value != "off" or walk.model.stops


def settings(walk: Walk, random: Random) -> None:
    """Volume, crossfade and the like, some read back."""
    if random.random() < 0.4:
        value = random.randrange(101)
        walk.require(f"setvol {value}")
        if (seen := pairs(walk.require("status").lines)["volume"]) != str(value):
            raise Violation("setvol acts before it is answered", value, seen)
        return
    command = random.choice([
        f"volume {random.randrange(-20, 21)}", f"crossfade {random.choice([0, 0, 1, 2, 30, 31])}", "mixrampdb -17",
        "mixrampdelay 1", "mixrampdelay nan", f"replay_gain_mode {random.choice(['off', 'track', 'album', 'auto'])}",
        "clearerror", "replay_gain_status", "outputs", "stats",
    ])
    walk.ask(command, client=random.randrange(3))


def command_line_settings(walk: Walk, random: Random) -> None:
    walk.segue(*random.choice([
        ["volume", str(random.randrange(101))], ["volume", "+3"], ["crossfade", random.choice(["0", "1", "3"])],
        ["replaygain", random.choice(["off", "track", "album", "auto"])], ["volume", "--json"], ["mode", "--json"],
        ["queue", "history"], ["queue", "lists"], ["albums", "--json"], ["tracks", "--json"], ["search", "tone"],
        ["problems"], ["outputs"], ["lyrics"],
    ]))


def output(walk: Walk, random: Random) -> None:
    """Disables the output for a moment."""
    walk.moves = True
    walk.require("disableoutput 0")
    walk.require("play")
    if (state := pairs(walk.require("status").lines)["state"]) == "play" and walk.model.state != "stop":
        raise Violation("nothing plays without an output", "pause or stop", state)
    time.sleep(random.random() * 0.02)
    walk.require("enableoutput 0")


# The library, playlists and ratings.

def files(walk: Walk, random: Random) -> None:
    """Deletes, renames, restores, truncates or grows a file."""
    music = walk.rig.music
    path = random.choice(music.shaky)
    spare = path.with_stem(f"renamed {path.stem}")
    action = random.choice(["delete", "rename", "rename back", "restore", "truncate", "grow", "restore all"])
    walk.note(f"{action} {path.name}")
    if action == "restore all":
        music.restore()
    elif action == "restore":
        shutil.copy(music.stash / path.name, path)
    elif action == "rename back":
        if spare.exists():
            spare.rename(path)
    elif path.exists():
        match action:
            case "delete": path.unlink()
            case "rename": path.rename(spare)
            case "truncate": os.truncate(path, random.randrange(path.stat().st_size + 1))
            case "grow":
                with path.open("ab") as file:
                    file.write((music.stash / path.name).read_bytes()[:random.randrange(60_000)])


def library(walk: Walk, random: Random) -> None:
    """Scans and queries."""
    walk.edits = True
    walk.ask(random.choice([
        "update", "update", "update Shaky", "rescan Shaky", "rescan", 'search any "tone"', "listall", "listallinfo",
        "lsinfo", "lsinfo Shaky", "list album group artist", 'find "(artist == \\"Walk\\")" sort Title window 0:5',
        "count artist Walk", "listfiles Steady/Odd", "readcomments Steady/Odd/plain.mp3", "albumart Steady/Short/01.flac 0",
    ]), client=random.randrange(3))


def playlists(walk: Walk, random: Random) -> None:
    """Saved playlists."""
    model, name = walk.model, random.choice(LISTS)
    known, uris = model.playlists, [uri for _, uri in model.items]
    old = known.get(name)
    match random.randrange(9):
        case 0 | 1 if not walk.consumes:
            mode = random.choice(["create", "append", "replace"])
            reply = walk.ask(f"save {name} {mode}")
            if reply.ok:
                known[name] = (old or []) + uris if mode == "append" else uris
            succeeds = (old is None) == (mode == "create") or mode != "create"
            if old is not None and reply.ok != succeeds:
                raise Violation(f"save {mode} of a list of {old}", "OK" if succeeds else "ACK", reply)
        case 2:
            if walk.ask(f"rm {name}").ok != (known.pop(name, None) is not None):
                raise Violation("rm removes what exists", old, f"{name} in {known}")
        case 3:
            new = random.choice(LISTS)
            reply = walk.ask(f"rename {name} {new}")
            if reply.ok != (old is not None and new not in known):
                raise Violation(f"rename {name} to {new}", sorted(known), reply)
            if reply.ok:
                known[new] = known.pop(name)
        case 4:
            file = pick_file(walk, random)
            if walk.ask(f"playlistadd {name} {quoted(file)}").ok:
                known[name] = (old or []) + [file]
        case 5 if old:
            at = random.randrange(len(old))
            walk.require(f"playlistdelete {name} {at}")
            known[name] = old[:at] + old[at + 1:]
        case 6 if old:
            at, to = random.randrange(len(old)), random.randrange(len(old))
            walk.require(f"playlistmove {name} {at} {to}")
            rest = old[:at] + old[at + 1:]
            known[name] = rest[:to] + [old[at]] + rest[to:]
        case 7 if len(uris) < LIMIT:
            reply, walk.edits = walk.ask(f"load {name}"), True
            if reply.ok:
                steady = all(map(is_steady, old or []))
                fits = (lambda found: found == old) if steady else (lambda found: set(found) <= set(old or []))
                walk.check = inserted(len(uris), fits)
            elif old and all(map(is_steady, old)):
                raise Violation("a playlist can be loaded", "OK", reply)
        case _ if old is not None:
            walk.ask(f"listplaylistinfo {name}")
    if name in known:
        walk.check_playlist(name)


def ratings(walk: Walk, random: Random) -> None:
    """Ratings of songs whose files stay."""
    names, known = [name for name in walk.rig.names if is_steady(name)], walk.model.ratings
    name = random.choice(names)
    if random.random() < 0.7:
        value = str(random.randrange(11))
        walk.require(f"sticker set song {quoted(name)} rating {value}")
        known[name] = value
    else:
        reply = walk.ask(f"sticker delete song {quoted(name)} rating")
        if reply.ok != (known.pop(name, None) is not None):
            raise Violation("a sticker can be deleted if it exists", name in known, reply)
    seen = walk.ask(f"sticker get song {quoted(name)} rating").lines
    if seen != ([f"sticker: rating={known[name]}"] if name in known else []):
        raise Violation("a rating is kept", known.get(name), seen)


# Connections.

JUNK = [
    b"\n", b" \n", b"nonsense\n", b"play \"1\n", b"play \\\n", b"add \"\\\n", b"status extra\n", b"delete 18446744073709551616\n",
    b"delete -5\n", b"move 0:99999999999 0\n", b"seek 0 1e400\n", b"seekcur nan\n", b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\xfe\n",
    b"add \"../../etc/passwd\"\n", b"add file:///etc/passwd\n", b"load ../../etc/passwd\n", b"save ../../x\n", b"rm /etc/passwd\n",
    b"listplaylist \"\"\n", b"find \"((((\"\n", b"find \"(any =~ '(a+)+$')\"\n", b"search\n", b"sticker get song x\n",
    b"prioid 300 1\n", b"rangeid 1 x:y\n", b"addid \"\" 999\n", b"idle nonsense\n", b"noidle\nnoidle\nstatus\n", b"idle\nstatus\n",
    b"command_list_begin\nstatus\ncommand_list_begin\ncommand_list_end\n", b"command_list_end\n", b"binarylimit 1\n",
    b"albumart Steady/Short/01.flac 999999999999\n", b"password x\n", b"subscribe a b\n", b"crossfade -1\n", b"setvol 101\n",
    b"plchanges -1\n", b"plchanges 99999999999999999999\n", b"playlistinfo 5:2\n", b"swap 0 99999\n", b"enableoutput 9\n",
    b"x" * 70_000, b"add " + b"\"" * 60_000 + b"\n", b"command_list_begin\n" + b"ping\n" * 5_000 + b"command_list_end\n",
]


def junk(walk: Walk, random: Random) -> None:
    """Hostile and half lines, over a connection of their own that ends without notice."""
    data = random.choice(JUNK)
    if random.random() < 0.3:
        data = bytes(random.randrange(256) for _ in range(random.randrange(200)))
        # No byte string that is a command by chance.
        data = b"\x01" + data
    if random.random() < 0.3:
        data = data[:random.randrange(len(data) + 1)]
    walk.note(f"junk> {data[:60]!r} ({len(data)} bytes)")
    client = Client(walk.rig.address, walk.patience)
    try:
        client.send(data)
        if random.random() < 0.5:
            client.socket.settimeout(0.02)
            client.line()
    except (Closed, Violation):
        pass
    client.close()


def half(walk: Walk, random: Random) -> None:
    """An edit that is cut before the end of its line is never executed."""
    client = Client(walk.rig.address, walk.patience)
    data = random.choice([b"clear", b"command_list_begin\nclear\n", b"delete 0", b"command_list_begin\nclear\ncommand_list_en"])
    walk.note(f"half> {data!r}")
    client.send(data)
    client.close()


def idle(walk: Walk, random: Random) -> None:
    """A client that waits learns of an edit."""
    client = Client(walk.rig.address, walk.patience)
    client.send(b"idle playlist\n")
    wanted = ("addid", "Steady/Short/03.flac", None)
    reply = walk.ask(line(wanted))
    walk.edits, walk.check = True, exactly(applied(wanted, walk.model.items))
    if not reply.ok or "changed: playlist" not in client.reply().lines:
        raise Violation("idle reports an edit", "changed: playlist", reply)
    client.close()


# Sound.

def hold_call(walk: Walk) -> None:
    walk.call = walk.rig.launch(["pacat", "--property=media.role=phone", "--raw", "--latency-msec=20", "/dev/zero"])


def end_call(walk: Walk) -> None:
    walk.rig.finish(walk.call)
    walk.call, walk.grey = None, time.monotonic() + 2


def call(walk: Walk, random: Random) -> None:
    """A call during which the walk goes on, or the end of it."""
    walk.note("the call ends" if walk.call else "a call begins")
    end_call(walk) if walk.call else hold_call(walk)


def short_call(walk: Walk, random: Random) -> None:
    """Calls, some very short: afterwards, what was playing plays, and what was paused is paused."""
    if walk.call:
        end_call(walk)
    wants = random.choice(["play", "play", "pause"])
    walk.require("repeat 1")
    walk.require("single 0")
    walk.require("consume 0")
    walk.sets = walk.moves = walk.edits = True
    walk.require('addid "Steady/Short/08.flac" 0')
    walk.check = exactly([(None, "Steady/Short/08.flac")] + walk.model.items)
    walk.require("play 0")
    if wants == "pause":
        walk.require("pause 1")
    walk.await_status(f"the state is {wants}", lambda status: status["state"] == wants, wants)
    times = [random.choice([5, 10, 20, 40, 100, 300]) for _ in range(random.choice([1, 1, 3, 8]))]
    walk.note(f"calls of {times} ms while the state is {wants}")
    for length in times:
        hold_call(walk)
        time.sleep(length / 1000)
        end_call(walk)
    walk.await_status(
        "after a call, what played plays, and what was paused is paused", lambda status: status["state"] == wants, wants)
    if wants == "pause":
        time.sleep(0.1)
        if (state := pairs(walk.require("status").lines)["state"]) != "pause":
            raise Violation("a call resumes nothing that the user paused", "pause", state)
        walk.grey = 0


def sinks(walk: Walk, random: Random) -> None:
    """Moves the player to another sink, or suspends its sink for a moment."""
    sink = random.choice(SINKS)
    if random.random() < 0.6:
        for entry in walk.rig.sound("list", "short", "sink-inputs").stdout.splitlines():
            walk.note(f"move stream {entry.split()[0]} to {sink}")
            walk.rig.sound("move-sink-input", entry.split()[0], sink)
    else:
        walk.note(f"suspend {sink}")
        walk.rig.sound("suspend-sink", sink, "1")
        time.sleep(random.random() * 0.1)
        walk.rig.sound("suspend-sink", sink, "0")
    walk.listen()


def listen(walk: Walk, random: Random) -> None:
    """Playback advances by itself; sometimes it is started first."""
    if random.random() < 0.5 and walk.model.items:
        walk.require("addid Steady/Short/08.flac 0")
        walk.require("play 0")
        walk.check, walk.edits = exactly([(None, "Steady/Short/08.flac")] + walk.model.items), True
        walk.moves = True
        if not walk.call and time.monotonic() > walk.grey:
            walk.await_status(
                "a sound file that is requested plays", lambda status: float(status.get("elapsed", 0)) > 0.02, "elapsed > 0.02")
    walk.listen()


def wait(walk: Walk, random: Random) -> None:
    time.sleep(random.random() * random.choice([0.003, 0.03, 0.03, 0.3 if random.random() < 0.1 else 0.03]))


# Ends.

def kill(walk: Walk, random: Random) -> None:
    """Kills the player while edits are on their way: the acknowledged ones are not lost."""
    items, states, data = walk.model.items, [walk.model.items], b""
    for _ in range(random.randrange(0, 12)):
        wanted = pick_edit(walk, random, items)
        items = applied(wanted, items) or items if wanted != ("clear",) else []
        states.append(items)
        walk.model.remember(items)
        data += line(wanted).encode() + b"\n"
    walk.note(f"1> {data.decode().splitlines()}, then kill -9")
    client = walk.clients[1]
    client.send(data)
    time.sleep(random.random() * random.choice([0, 0.005, 0.05]))
    walk.rig.stop(signal.SIGKILL)
    acknowledged = 0
    try:
        while acknowledged < len(states) - 1:
            client.reply()
            acknowledged += 1
    except Closed:
        pass
    walk.note(f"{acknowledged} of {len(states) - 1} acknowledged")
    walk.tally["kills"] = walk.tally.get("kills", 0) + 1
    walk.restarted(walk.rig.start(), exactly(*states[acknowledged:]))


def terminate(walk: Walk, random: Random) -> None:
    """Ends the player as it is meant to end: nothing is lost, and the exit status is 0."""
    how = random.choice(["SIGTERM", "SIGINT", "quit", "kill"])
    walk.note(f"the player is ended: {how}")
    volume = walk.model.volume
    start = time.monotonic()
    match how:
        case "quit": walk.segue("quit")
        case "kill": walk.clients[0].send(b"kill\n")
        case _: walk.rig.player.send_signal(getattr(signal, how))
    status = walk.rig.ended()
    walk.tally["slowest end (ms)"] = max(walk.tally.get("slowest end (ms)", 0), round(1000 * (time.monotonic() - start)))
    if status not in (0, 128 + signal.SIGTERM, 128 + signal.SIGINT, -signal.SIGTERM, -signal.SIGINT):
        raise Violation("the player ends in order", "exit status 0", status)
    walk.restarted(walk.rig.start(), unchanged)
    if walk.model.volume != volume:
        raise Violation("the volume is kept", volume, walk.model.volume)


def reconnect(walk: Walk, random: Random) -> None:
    """Ends a connection, sometimes with a command on its way, and opens another."""
    index = random.randrange(1, 3)
    walk.clients[index].send(random.choice([b"", b"idle\n", b"playlistinfo\n", b"listallinfo\n"]))
    walk.clients[index].close()
    walk.clients[index] = Client(walk.rig.address, walk.patience)


# Comparisons.

def compare(walk: Walk, random: Random) -> None: walk.compare()
def compare_queue(walk: Walk, random: Random) -> None: walk.compare_queue()
def compare_stored(walk: Walk, random: Random) -> None: walk.check_stored()


# The steps, with their weights.
STEPS = {
    edit: 14, edit_list: 4, pipeline: 3, crowd: 2, add: 6, arrange: 5, clear: 1, command_line_edit: 5,
    transport: 20, command_line_transport: 3, modes: 4, command_line_modes: 1, settings: 4, command_line_settings: 1,
    output: 1, files: 4, library: 3, playlists: 4, ratings: 3, junk: 5, half: 1, idle: 1, call: 0.5, short_call: 0.4,
    sinks: 2, listen: 3, wait: 12, kill: 0.5, terminate: 0.2, reconnect: 1,
    compare: 1.5, compare_queue: 0.7, compare_stored: 0.7,
}
ENDS = (kill, terminate)


def choose(random: Random, step: int):
    """The step to take. In every second stretch of 2,000 steps, no player is ended, so that a leak would show."""
    steps = [each for each in STEPS if step // 2_000 % 2 == 0 or each not in ENDS]
    return random.choices(steps, [STEPS[each] for each in steps])[0]
