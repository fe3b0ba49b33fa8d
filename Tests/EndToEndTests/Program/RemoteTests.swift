// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// One player that is controlled from other processes.
  @Suite(.serialized) struct Remote {
    let playground: Playground

    init() throws { playground = try Playground() }

    /// Runs `body` while `segue serve` runs.
    func withServer(_ arguments: [String] = [], _ body: (TerminalSession) throws -> Void) throws {
      let server = try TerminalSession(playground, ["serve", "--output", "silent"] + arguments)
      let option = arguments.firstIndex(of: "--socket").map { arguments[$0 + 1] }
      let socket = option ?? playground["state/socket"]
      #expect(server.shows("listening on \(socket)"))
      try body(server)
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
      #expect((try? FileStatus(of: FilePath(socket))) == nil)
    }

    /// Runs a command that should succeed, and returns the lines of its output.
    func lines(of arguments: String...) throws -> [String] {
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
      return outcome.lines
    }

    @Test(arguments: ["pause", "toggle", "next", "previous", "stop", "volume", "sleep", "crossfade", "watch"])
    func `Without a running player, a command for one exits with 8`(word: String) throws {
      let outcome = try playground.segue(word)
      #expect(outcome.status == 8 && outcome.errors.hasPrefix("segue: no player is running"))
    }

    @Test func `Every terminal controls the running player`() throws {
      try withServer { _ in
        #expect(
          try lines(of: "play", "parlour", "2-01")
            == ["3/5 Lullaby - Music Box Theatre - Parlour Pieces (0:17)"])
        #expect(try lines(of: "status").first == "▶ Lullaby")
        #expect(try lines(of: "next").isEmpty && lines(of: "status").first == "▶ Morning Mood")
        #expect(try lines(of: "pause").isEmpty)
        #expect(try eventually { try lines(of: "status").first == "‖ Morning Mood" })
        #expect(try lines(of: "volume", "30").isEmpty && lines(of: "volume") == ["volume 30"])
        #expect(try lines(of: "queue", "add", "ground") == ["added 4 tracks at 6-9: Ground and Air"])
        #expect(try lines(of: "queue").count == 9)
        #expect(try lines(of: "queue", "undo") == ["undid add Ground and Air (4 items)"])
        #expect(try lines(of: "mode", "repeat", "all") == ["repeat  all"])
        #expect(try lines(of: "seek", "5").isEmpty)
        #expect(try lines(of: "stop").isEmpty && lines(of: "status").first == "■ Morning Mood")
        let unknown = try playground.segue("play", "nothing of the kind")
        #expect(unknown.status == 3 && unknown.errors.contains("no album or track title matches"))
      }
      // The player's edits are stored.
      #expect(try lines(of: "queue").count == 5)
    }

    @Test func `A forwarded command creates no index in the client, and leaves a damaged one alone`()
      throws
    {
      try withServer { _ in
        try playground.directory.makeDirectory("damaged")
        try playground.directory.write(Array("no database".utf8), to: "damaged/index.sqlite")
        let damaged = try playground.segue("play", "parlour", with: ["SEGUE_DATA_DIR": playground["damaged"]])
        #expect(damaged.status == 0 && damaged.errors.isEmpty, "\(damaged.errors)")
        #expect(
          try playground.shell("cd damaged && ls && cat index.sqlite").output == "index.sqlite\nno database")
        let missing = try playground.segue("play", "parlour", with: ["SEGUE_DATA_DIR": playground["nowhere"]])
        #expect(missing.status == 0 && missing.lines.count == 1, "\(missing.errors)")
        #expect((try? FileStatus(of: playground.directory["nowhere"])) == nil)
      }
    }

    @Test func `A relative path is relative to the client's directory`() throws {
      let file = Playground.broken.appending("tags-hostile.flac")
      try playground.directory.write(try contents(of: file), to: "deep/down/song é.flac")
      try withServer { _ in
        let outcome = try playground.shell("cd deep/down && $SEGUE play './song é.flac'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("1/1 "))
      }
    }

    @Test func `Of several commands that play at once, exactly one becomes the player, and all succeed`() throws {
      let outcome = try playground.shell(
        """
        for i in 1 2 3 4; do ($SEGUE play ground $i >$i.out 2>$i.err; echo $? >$i.status) & done
        await '[ $(cat *.status 2>/dev/null | wc -l) -ge 3 ]'
        cat *.status *.err; cat *.out | wc -l; kill $(cat state/owner.lock); wait
        """)
      // The three other commands were forwarded, and succeeded.
      #expect(outcome.lines.prefix(3) == ["0", "0", "0"], "\(outcome.output) \(outcome.errors)")
    }

    @Test(.enabled(if: Tool.exists("flock"), "flock is not installed"))
    func `A player that had to wait for another to end can still be ended`()
      throws
    {
      let outcome = try playground.shell(
        """
        mkdir -p state; flock state/owner.lock sh -c 'touch held; sleep 1' & holder=$!; await '[ -e held ]'
        $SEGUE play ground --output silent >out.txt 2>err.txt & player=$!
        wait $holder
        await '$SEGUE volume >/dev/null 2>&1'
        kill $player; wait $player; echo $?; cat err.txt
        """)
      #expect(outcome.lines.first == "143", "\(outcome.output) \(outcome.errors)")
    }

    @Test(.enabled(if: Tool.exists("flock"), "flock is not installed"))
    func `A signal ends a process that waits for another player to end`()
      throws
    {
      let outcome = try playground.shell(
        """
        mkdir -p state; flock --no-fork state/owner.lock sh -c 'touch held; exec sleep 60' & await '[ -e held ]'
        $SEGUE play ground --output silent >out.txt 2>err.txt & player=$!
        sleep 0.5; kill $player; wait $player; echo $?; cat out.txt err.txt; kill %1 && echo before
        """)
      #expect(outcome.lines == ["143", "before"], "\(outcome.output) \(outcome.errors)")
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `A player in the foreground keeps running while clients stop it, and empty and refill its queue`() throws {
      let outcome = try playground.shell(
        """
        export MPD_HOST=$PWD/state/socket
        $SEGUE play ground --output silent >out.txt 2>err.txt & player=$!
        await 'mpc status 2>/dev/null | grep -q playing'
        plays() { [ "$(mpc -f %position% current)" = "$1" ] && mpc status | grep -q playing; }
        mpc -q clear; await '[ -z "$(mpc playlist)" ]'; mpc -q add "Music Box Theatre"
        mpc -q play 2; await 'plays 2' && echo 2; mpc -q stop; await '! mpc status | grep -q playing'
        mpc -q play 1; await 'plays 1' && echo 1; mpc -q stop; await '! mpc status | grep -q playing'
        $SEGUE stop; wait $player; echo $?; cat err.txt
        """)
      #expect(outcome.lines == ["2", "1", "0"], "\(outcome.output) \(outcome.errors)")
    }

    @Test(arguments: [["serve"], ["repl"], ["play", "parlour"]])
    func `quit ends a player without a failure status`(command: [String]) throws {
      let player = try TerminalSession(playground, command + ["--output", "silent"])
      #expect(try playground.shell("await '$SEGUE volume >/dev/null 2>&1'").status == 0)
      #expect(try playground.segue("play", "ground", "2").status == 0)
      let outcome = try playground.segue("quit")
      #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(player.exitStatus() == 0)
      #expect(try playground.segue("volume").status == 8)
      #expect(try lines(of: "queue").contains { $0.hasPrefix(">\t2\t") })
      #expect(try playground.segue("quit").status == 8)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `A player ended by a signal reports that signal to its parent`(signal: Int32) throws {
      let process = try ChildProcess(
        Playground.program.string, ["serve", "--output", "silent"], environment: playground.environment,
        directory: playground.directory.path)
      #expect(try playground.shell("await '$SEGUE volume >/dev/null 2>&1'").status == 0)
      process.send(signal)
      #expect(process.waitUntilExit() == .signal(number: signal))
    }

    @Test(arguments: ["silent", "raw:fifo"])
    func `Of several commands with the same output, exactly one becomes the player`(output: String) throws {
      try playground.directory.makeFIFO("fifo")
      let outcome = try playground.shell(
        """
        [ \(output) = silent ] || { cat fifo >/dev/null & reader=$!; }
        for i in 1 2 3 4; do
          ($SEGUE play ground $i --output \(output) >$i.out 2>$i.err; echo $? >$i.status) &
        done
        await '[ $(cat *.status 2>/dev/null | wc -l) -ge 3 ]'
        cat *.status *.err; kill $(cat state/owner.lock) $reader; wait
        """)
      #expect(outcome.lines == ["0", "0", "0"], "\(outcome.output) \(outcome.errors)")
    }

    @Test func `A running player refuses different start-up options, and another can run beside it`() throws {
      try withServer { _ in
        for option in ["--output pulse", "--rate 96000", "--depth 24", "--on-format-change resample"] {
          let words = ["play", "ground"] + option.split(separator: " ").map(String.init)
          let outcome = try playground.run(Playground.program.string, words)
          #expect(outcome.status == 2 && outcome.output.isEmpty)
          let reason = "segue: \(words[2]) can only be set when a player starts: "
          #expect(outcome.errors.hasPrefix(reason), "\(outcome.errors)")
        }
        // An option equal to the player's is accepted.
        #expect(try playground.segue("play", "ground", "--on-format-change", "reopen").status == 0)
        // Meanwhile, a file can be rendered.
        #expect(try playground.segue("play", "parlour", "--output", "wav:out.wav").status == 0)
        #expect(try playground.segue("status").output.contains("Ground and Air"))
        let beside = try playground.shell(
          """
          $SEGUE play parlour --output silent --state-dir beside & p=$!
          await '$SEGUE status --socket beside/socket | grep Parlour'
          kill $p; wait
          """)
        #expect(beside.output.contains("Parlour"), "\(beside.output) \(beside.errors)")
      }
    }

    @Test func `The state directory of the player may be given explicitly`() throws {
      try withServer { _ in
        let stateOptions = ["--state-dir", playground["state"]]
        #expect(try playground.run(Playground.program.string, ["queue", "add", "ground"] + stateOptions).status == 0)
        #expect(try lines(of: "queue").count == 4)
        #expect(try playground.run(Playground.program.string, ["queue", "remove", "1"] + stateOptions).status == 0)
        #expect(try playground.run(Playground.program.string, ["mode", "repeat", "all"] + stateOptions).status == 0)
        #expect(try lines(of: "queue").count == 3 && lines(of: "mode", "repeat") == ["repeat  all"])
        let elsewhere = try playground.segue(
          "queue", "add", "ground", "--state-dir", "other", "--socket", playground["state/socket"])
        #expect(elsewhere.status == 2 && elsewhere.errors.hasPrefix("segue: the running player uses the queue in "))
        #expect(try lines(of: "queue").count == 3)
      }
    }

    @Test func `A forwarded command uses the player's queue, library and playlists`() throws {
      _ = try playground.shell("cp -r '\(Playground.music)' music")
      let options = [
        "--library", playground["music"], "--state-dir", playground["beside"], "--socket", playground["socket"],
      ]
      try withServer(options) { _ in
        let variables = ["SEGUE_SOCKET": playground["socket"], "SEGUE_LIBRARY": playground["nothing"]]
        let client = Playground(playground, with: variables)
        #expect(try client.segue("play", "ground").status == 0)
        #expect(try client.segue("queue").lines.count == 4)
        #expect(try client.segue("queue", "save", playground["saved.m3u"]).status == 0)
        let tracks = String(decoding: try playground.bytes("saved.m3u"), as: UTF8.self)
        #expect(tracks.split(separator: "\n").count { !$0.hasPrefix("#") } == 4)
        #expect(try client.segue("queue", "append", "Evening").output.contains("Evening, which now has 4"))
        #expect(try client.segue("queue", "lists").output.hasPrefix("Evening"))
        #expect(try client.segue("queue", "delete", "Evening").status == 0)
        #expect(try client.segue("queue", "lists").output.isEmpty)
        #expect(try lines(of: "queue").isEmpty)
      }
    }

    @Test func `Stopping twice is no error`() throws {
      try withServer { _ in
        #expect(try playground.segue("play", "ground").status == 0)
        for _ in 1...2 {
          let outcome = try playground.segue("stop")
          #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }
      }
    }

    @Test func `If no player listens at the given socket, no queue is changed`() throws {
      let outcome = try playground.segue("queue", "add", "ground", "--socket", playground["nobody"])
      #expect(outcome.status == 8 && outcome.errors.hasPrefix("segue: no player is running"))
      #expect(try lines(of: "queue").isEmpty)
    }

    @Test func `Open access from the network must be requested explicitly`() throws {
      let outcome = try playground.segue("serve", "--output", "silent", "--listen", "0.0.0.0:0")
      #expect(outcome.status == 2 && outcome.errors.contains("--passwords"), "\(outcome.errors)")
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `If the output is disabled, commands that play say so`() throws {
      try withServer { _ in
        #expect(try playground.segue("play", "ground").errors.isEmpty)
        let commands =
          "for c in resume toggle next previous 'queue play 1' 'play ground'; do $SEGUE $c >/dev/null; done"
        let outcome = try playground.shell("mpc -q -h $PWD/state/socket disable 1 >/dev/null; \(commands)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(
          lines.count == 6 && lines.allSatisfy { $0.hasPrefix("segue: the output is disabled") }, "\(lines)")
      }
    }

    @Test func `Events are printed as they happen, as JSON`() throws {
      try withServer { _ in
        let outcome = try playground.shell(
          """
          $SEGUE watch --json >events & w=$!
          await '[ -s events ]'
          $SEGUE play ground 2 >/dev/null; $SEGUE volume 40; $SEGUE queue clear >/dev/null; $SEGUE mode consume on >/dev/null
          await 'grep -q consume.:true events'
          kill $w; cat events
          """)
        let kinds = outcome.lines.compactMap { line in
          (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["event"] as? String
        }
        #expect(kinds.count == outcome.lines.count && kinds.first == "status")
        for kind in ["queue", "state", "track", "volume", "modes"] {
          #expect(kinds.contains(kind), "\(outcome.output)")
        }
      }
    }

    @Test func `An album is reported track by track to its end`() throws {
      let outcome = try playground.shell(
        """
        $SEGUE serve --output silent:50 >log 2>&1 & server=$!; await '[ -e state/socket ]'
        $SEGUE watch --json >events & w=$!; await '[ -s events ]'
        $SEGUE play ground >/dev/null; await 'grep -q :.end events'
        kill $w $server; cat events
        """)
      struct Event: Decodable {
        let event: String
        let phase: String?
        let queuePosition: Int?
      }
      let events = try outcome.lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
      #expect(events.filter { $0.event == "track" }.map(\.queuePosition) == [0, 1, 2, 3], "\(outcome.output)")
      #expect(events.filter { $0.event == "state" }.map(\.phase) == ["playing", "stopped"], "\(outcome.output)")
      #expect(events.suffix(2).map(\.event) == ["state", "end"], "\(outcome.output)")
    }

    @Test func `A stop that ends the player is still answered`() throws {
      for _ in 0..<4 {
        let player = try TerminalSession(playground, ["play", "parlour", "--output", "silent"])
        #expect(try eventually { try playground.segue("status").output.hasPrefix("▶") })
        let outcome = try playground.segue("stop")
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(player.exitStatus() == 0)
      }
    }

    @Test(arguments: [0o644, 0o640, 0o602] as [UInt32])
    func `A password file that other users can read or change is refused`(permissions: UInt32) throws {
      try playground.directory.write(Array("secret@read\n".utf8), to: "passwords")
      try playground.directory.setPermissions(permissions, of: "passwords")
      let outcome = try playground.segue("serve", "--output", "silent", "--passwords", playground["passwords"])
      #expect(outcome.status == 1 && outcome.errors.contains("run `chmod 600` on it"), "\(outcome.errors)")
    }

    @Test
    func `Network clients need a password, and can never use the port of the owner`()
      throws
    {
      try playground.directory.write(Array("secret@read,control\n@read\n".utf8), to: "passwords")
      try playground.directory.setPermissions(0o600, of: "passwords")
      try withServer(["--listen", "127.0.0.1:0", "--passwords", playground["passwords"]]) { server in
        let port = try #require(Self.port(in: server.text))
        let script = """
          import socket,sys
          s=socket.create_connection(("127.0.0.1",\(port))); f=s.makefile("rw",newline="\\n")
          print(f.readline().strip())
          for line in ["setvol 5","status","password wrong","password secret","setvol 5","enableoutput 0","segue_port"]:
            f.write(line+"\\n"); f.flush()
            while True:
              answer=f.readline().strip()
              if answer.startswith(("OK","ACK")): print(answer); break
          """
        let outcome = try playground.run("/usr/bin/env", ["python3", "-c", script])
        let answers = outcome.lines.dropFirst().map { String($0.prefix(9)) }
        let expected = ["ACK [4@0]", "OK", "ACK [3@0]", "OK", "OK", "ACK [4@0]", "ACK [4@0]"]
        #expect(answers == expected, "\(outcome.output) \(outcome.errors)")
      }
    }

    /// Returns the TCP port that a server reports in its output.
    private static func port(in text: String) -> String? {
      let marker = "listening on 127.0.0.1:"
      for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix(marker) {
        return String(line.dropFirst(marker.count).prefix { $0.isNumber })
      }
      return nil
    }
  }
}
