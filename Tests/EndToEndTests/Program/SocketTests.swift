// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The player's socket: other programs that listen there, and its permissions.
  @Suite(.serialized) struct Sockets {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `Another program at the socket is recognised, and has its own exit status`() throws {
      let outcome = try playground.shell(
        """
        mkdir state; python3 -c '
        import socket, sys
        l = socket.socket(socket.AF_UNIX); l.bind("state/socket"); l.listen(8); open("ready", "w"); clients = []
        while True:
          c = l.accept()[0]; clients.append(c); c.sendall(b"SSH-2.0-x\\n")' & other=$!
        await '[ -e ready ]'
        number=0; running=()
        for command in pause status 'play ground' 'queue add ground' 'serve --output silent'; do
          number=$((number + 1)); { $SEGUE $command 2>errors$number; echo $? >status$number; } & running+=($!)
        done
        wait "${running[@]}"; kill $other; cat status?; cat errors? | wc -l; cat errors?
        """)
      #expect(
        outcome.lines.prefix(6) == ["9", "9", "9", "9", "9", "5"], "\(outcome.output) \(outcome.errors)")
      let messages = outcome.lines.dropFirst(6)
      #expect(messages.prefix(4).allSatisfy { $0.contains("does not speak the MPD protocol") }, "\(outcome.output)")
      #expect(outcome.lines.last?.contains("the program listening on") == true, "\(outcome.output)")
    }

    @Test func `A new player replaces a socket on which nobody answers`() throws {
      let outcome = try playground.shell(
        """
        mkdir state; python3 -c '
        import signal, socket
        l = socket.socket(socket.AF_UNIX); l.bind("state/socket"); l.listen(8); open("ready", "w"); signal.pause()' \
          & other=$!
        await '[ -e ready ]'
        $SEGUE pause; echo $?
        $SEGUE serve --output silent >log 2>&1 & server=$!
        await '[ -s log ]'; cat log; $SEGUE volume
        kill $other $server; wait
        """)
      #expect(
        outcome.lines == ["9", "listening on \(playground["state/socket"])", "volume 100"],
        "\(outcome.output) \(outcome.errors)")
      #expect(outcome.errors.contains("is not responding"), "\(outcome.errors)")
    }

    @Test(.enabled(if: Tool.exists("mpd"), "mpd is not installed"))
    func `Another MPD server at the socket is recognised`() throws {
      let outcome = try playground.shell(
        """
        mkdir state m; printf 'music_directory "%s"\\ndb_file "%s"\\nbind_to_address "%s"\\naudio_output {\\ntype "null"\\nname "n"\\n}\\n' \
          $PWD/m $PWD/db $PWD/state/socket > conf
        mpd --no-daemon conf 2>/dev/null & mpd=$!
        await '[ -e state/socket ]'
        $SEGUE pause; echo $?; kill $mpd; wait
        """)
      #expect(
        outcome.lines == ["9"] && outcome.errors.contains("an MPD server other than Segue is listening"),
        "\(outcome.errors)")
    }

    @Test
    func `The socket's directory is private, and one that others may write to is refused`()
      throws
    {
      let outcome = try playground.shell(
        """
        mkdir -p run/segue open; chmod 777 run/segue open; export XDG_RUNTIME_DIR=$PWD/run
        $SEGUE serve --output silent >own.log 2>&1 & own=$!
        await '[ -e run/segue/socket ]'
        stat -c %a run/segue run/segue/socket; kill $own; wait
        $SEGUE serve --output silent --socket open/socket; echo $?; ls open | wc -l
        """)
      #expect(outcome.lines == ["700", "600", "1", "0"], "\(outcome.output)")
      #expect(outcome.errors.contains("other users can write to"), "\(outcome.errors)")
    }

    @Test
    func `A runtime directory that others can write to, and a link in it, are refused by the server and by commands`()
      throws
    {
      let outcome = try playground.shell(
        """
        try() { $SEGUE $1 --output silent 2>>errors; echo $?; $SEGUE status 2>>errors; echo $?; }
        export XDG_RUNTIME_DIR=$PWD/run; mkdir run; chmod 777 run; try serve
        chmod 700 run; mkdir elsewhere; chmod 755 elsewhere; ln -s ../elsewhere run/segue; try serve
        rm run/segue; touch run/segue; try serve
        stat -c %a elsewhere; ls elsewhere | wc -l; cat errors
        """)
      #expect(outcome.lines.prefix(8) == ["1", "1", "1", "1", "1", "1", "755", "0"], "\(outcome.output)")
      let errors = outcome.lines.dropFirst(8)
      #expect(
        errors.count == 6 && errors.prefix(2).allSatisfy { $0.hasSuffix("run `chmod 700` on it, or use --socket") })
      #expect(
        errors.dropFirst(2).allSatisfy { $0.hasSuffix("is not a directory, or is a link: remove it") }, "\(errors)")
    }

    @Test func `With single, playback waits at the start of the next track, and the status says so`() throws {
      let outcome = try playground.shell(
        """
        $SEGUE serve --output silent >log 2>&1 & server=$!
        await '$SEGUE volume >/dev/null 2>&1'
        $SEGUE play parlour 2 >/dev/null; $SEGUE mode single once >/dev/null; $SEGUE seek 11.5
        await '$SEGUE status | head -n 1 | grep -q Lullaby'
        $SEGUE status | head -n 1; $SEGUE mode single; $SEGUE resume; await '$SEGUE status | head -n 1 | grep ▶'; kill $server; wait
        """)
      #expect(
        outcome.lines == ["‖ Lullaby", "single  off", "▶ Lullaby"], "\(outcome.output) \(outcome.errors)")
    }
  }
}
