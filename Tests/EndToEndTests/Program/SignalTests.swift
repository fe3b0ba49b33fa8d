// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import TestSupport
import Testing

extension ProgramTests {
  /// Signals that arrive while the program is drawing on a terminal.
  @Suite(.serialized) struct Signals {
    /// A part of the program that draws on the terminal.
    enum TerminalUser: String, CaseIterable, Sendable {
      /// The REPL, while a line is being typed.
      case line
      /// The search in the REPL.
      case search
      /// `now` in the REPL.
      case now
      /// The view of `segue play`.
      case view
    }

    /// The signals that end the program, with the resulting status.
    static let endingSignals: [(Int32, Int32)] = [(SIGTERM, 143), (SIGQUIT, 131), (SIGHUP, 129)]

    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Starts the program, which plays Gymnopédie No. 1, and waits until `user` has drawn on the terminal. By then, the
    /// view has played one second; in the REPL, the position is at least five seconds.
    private func start(_ user: TerminalUser, isPaused: Bool = false, isControlling: Bool = false) throws
      -> TerminalSession
    {
      let terminal = try TerminalSession(
        playground, (user == .view ? ["play", "ground", "4"] : ["repl"]) + ["--output", "silent"],
        isControlling: isControlling)
      guard user != .view else {
        #expect(terminal.shows("Gymnopédie No. 1"))
        #expect(try eventually { try playground.position() >= 1 })
        if isPaused { terminal.type(" ") }
        #expect(!isPaused || terminal.shows("‖"))
        return terminal
      }
      #expect(terminal.shows("segue> "))
      terminal.type("play ground 4\r")
      #expect(terminal.shows("4/4 Gymnopédie No. 1", thenPrompt: "▶ 0:0"))
      if isPaused { terminal.type("pause\r") }
      #expect(!isPaused || terminal.shows("⏸ 0:0"))
      terminal.type("seek 5\r")
      #expect(terminal.shows("seek 5", thenPrompt: isPaused ? "⏸ 0:05 " : "▶ 0:0"))
      terminal.discardOutput()
      switch user {
      case .line:
        terminal.type("half a line")
        #expect(terminal.shows("half a line"))
      case .search:
        terminal.type("/")
        #expect(terminal.shows("type to search"))
      case .now:
        terminal.type("now\r")
        #expect(terminal.shows("q close"))
      case .view: break
      }
      return terminal
    }

    /// Configures the player to continue without its terminal.
    private func configureToKeepPlaying() throws {
      try playground.directory.write(
        Array("on-hangup = \"keep\"\n".utf8), to: "home/.config/segue/config.toml")
    }

    /// Resumes playback to the end, and returns the number of bytes of sound that were left.
    private func remainingByteCount() throws -> Int {
      #expect(try playground.segue("resume", "--output", "raw:rest.raw").status == 0)
      return try playground.bytes("rest.raw").count
    }

    @Test(arguments: TerminalUser.allCases, endingSignals)
    func `A signal ends the program, which restores the terminal`(user: TerminalUser, ending: (Int32, Int32)) throws {
      let (signal, status) = ending
      let terminal = try start(user)
      #expect(!terminal.isRestored)
      terminal.send(signal)
      #expect(terminal.exitStatus() == status)
      #expect(terminal.isRestored)
    }

    @Test(arguments: TerminalUser.allCases)
    func `Ctrl-backslash ends the program, which restores the terminal`(user: TerminalUser) throws {
      let terminal = try start(user, isControlling: true)
      terminal.type("\u{1C}")
      #expect(terminal.exitStatus() == 131)
      #expect(terminal.isRestored)
    }

    @Test func `Ctrl-backslash and a crash end a command that handles no signals, without a question`() throws {
      for signal in [SIGQUIT, SIGSEGV, SIGABRT] {
        let terminal = try TerminalSession(playground, ["watch", "--reconnect"], isControlling: signal == SIGQUIT)
        #expect(terminal.shows("waiting"))
        terminal.discardOutput()
        if signal == SIGQUIT { terminal.type("\u{1C}") } else { terminal.send(signal) }
        #expect(terminal.exitStatus() == 128 + signal)
        #expect(["", "^\\"].contains(terminal.text), "\(terminal.text)")
      }
    }

    @Test func `Ctrl-C ends the view of a player with its playback`() throws {
      let terminal = try start(.view, isControlling: true)
      terminal.type("\u{3}")
      #expect(terminal.exitStatus() == 130)
      #expect(terminal.isRestored)
    }

    @Test(arguments: [TerminalUser.line, .search, .now])
    func `Ctrl-C returns to an empty line, where it stops playback but not the REPL`(
      user: TerminalUser
    ) throws {
      let terminal = try start(user, isControlling: true)
      for _ in 0..<2 {
        terminal.discardOutput()
        terminal.type("\u{3}")
        #expect(eventually { ["▶ 0:", "segue> "].contains { terminal.text.contains($0) } })
        #expect(eventually { !terminal.isCooked })
        if terminal.text.contains("segue> ") { break }
      }
      #expect(terminal.shows("segue> "))
      terminal.type("volume 30\rvolume\r")
      #expect(terminal.shows("volume 30", thenPrompt: "segue> "))
      terminal.type("quit\r")
      #expect(terminal.exitStatus() == 0)
      #expect(terminal.isRestored)
    }

    @Test(arguments: TerminalUser.allCases)
    func `Ctrl-Z restores the terminal, and continuing redraws the content`(user: TerminalUser) throws {
      let terminal = try start(user, isPaused: true)
      let content =
        switch user {
        case .line: "half a line"
        case .search: "type to search"
        case .now, .view: "Gymnopédie No. 1"
        }
      for _ in 0..<2 {
        terminal.send(SIGTSTP)
        #expect(eventually { terminal.isStopped })
        #expect(terminal.isRestored)
        terminal.discardOutput()
        terminal.send(SIGCONT)
        #expect(terminal.shows(content))
        #expect(!terminal.isRestored)
      }
      terminal.send(SIGTERM)
      #expect(terminal.exitStatus() == 143)
      #expect(terminal.isRestored)
    }

    @Test(arguments: TerminalUser.allCases)
    func `A resized window is redrawn at once, even without playback`(user: TerminalUser) throws {
      let terminal = try start(user, isPaused: true)
      for columns: UInt16 in [30, 120] {
        terminal.discardOutput()
        terminal.resize(columns: columns, rows: 24)
        switch user {
        case .line: #expect(terminal.shows("half a line"))
        case .search: #expect(terminal.shows("type to search"))
        case .now, .view:
          #expect(
            eventually { terminal.text.contains("\u{1B}[2J") && terminal.hasDrawn(within: columns) },
            "\(terminal.drawnPieces)")
          #expect(eventually { terminal.drawnPieces.contains { $0.text.contains("Gymnopédie No. 1") } })
        }
      }
      terminal.send(SIGTERM)
      #expect(terminal.exitStatus() == 143)
      #expect(terminal.isRestored)
    }

    @Test(arguments: TerminalUser.allCases)
    func `Without its terminal the program ends, and playback can be resumed later`(user: TerminalUser) throws {
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:rest.raw").status == 0)
      let totalByteCount = try playground.bytes("rest.raw").count
      let terminal = try start(user, isPaused: true, isControlling: true)
      terminal.hangUp()
      #expect(terminal.exitStatus() == 129)
      let queue = try playground.segue("queue").output
      #expect(queue.contains(">\t4\tGymnopédie No. 1"), "\(queue)")
      let bytesPerSecond = 44_100 * 4
      let playedByteCount = totalByteCount - (try remainingByteCount())
      #expect(playedByteCount >= (user == .view ? 1 : 5) * bytesPerSecond, "\(playedByteCount)")
      #expect(playedByteCount < 8 * bytesPerSecond, "\(playedByteCount)")
    }

    @Test(arguments: TerminalUser.allCases)
    func `Without its terminal, playback continues if the settings request that`(user: TerminalUser) throws {
      try configureToKeepPlaying()
      let terminal = try start(user, isControlling: true)
      terminal.hangUp()
      #expect(
        try eventually { try playground.segue("status").output.hasPrefix("▶ Gymnopédie No. 1") })
      // The player may exit before it has answered.
      _ = try playground.segue("stop")
      #expect(terminal.exitStatus() == 0)
    }

    /// A shell function that ends the player `$player` with SIGTERM. Prints the status, and whether it took longer than
    /// two seconds, four times the limit.
    private static let end = #"""
      end() {
        local start=$(date +%s%N)
        kill -TERM $player; wait $player
        echo "$? $(( $(date +%s%N) - start > 2000000000 ))"
      }

      """#

    @Test(
      .enabled(if: Confinement.isPossible, Comment(rawValue: Confinement.reason)), arguments: ["silent", "wav:out.wav"])
    func `A signal ends the player at once while a server does not answer`(output: String) throws {
      let outcome = try playground.shell(
        Self.end + #"""
          python3 -c '
          import socket, sys
          l = socket.socket(); l.bind(("127.0.0.1", 0)); l.listen(); print(l.getsockname()[1], flush=True)
          clients = []
          while True: clients.append(l.accept()); open("connected", "w")' >port & other=$!
          await '[ -s port ]'; address=http://127.0.0.1:$(cat port)/
          $SEGUE play $address --output \#(output) 2>log & player=$!; await '[ -e connected ]'; end; rm connected
          if [ \#(output) = silent ]; then
            $SEGUE serve --output silent >log 2>&1 & player=$!; await '$SEGUE volume >/dev/null'
            $SEGUE play $address >/dev/null; await '[ -e connected ]'; end
          fi
          kill $other
          """#)
      #expect(outcome.lines == Array(repeating: "143 0", count: output == "silent" ? 2 : 1), "\(outcome.output)")
    }

    @Test(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
    func `A signal ends the player at once while the sound server hangs`() throws {
      let outcome = try playground.shell(
        Self.end + #"""
          export PULSE_SERVER=unix:$PWD/native PULSE_CLIENTCONFIG=$PWD/client.conf; echo 'autospawn = no' >client.conf
          pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 -L module-null-sink             -L "module-native-protocol-unix socket=$PWD/native auth-anonymous=1" 2>/dev/null & server=$!
          await 'pactl info >/dev/null 2>&1'
          $SEGUE serve --output pulse >log 2>&1 & player=$!; await '$SEGUE volume >/dev/null 2>&1'
          $SEGUE play ground >/dev/null; await '$SEGUE status --json | grep -q isHeard.:true'
          kill -STOP $server; end
          # It begins while the server hangs.
          $SEGUE serve --output pulse >log 2>&1 & player=$!; await '$SEGUE volume >/dev/null 2>&1'
          $SEGUE play ground >/dev/null; end
          kill -KILL $server
          """#)
      #expect(outcome.lines == ["143 0", "143 0"], "\(outcome.output) \(outcome.errors)")
    }

    @Test func `A signal still ends playback without a terminal`() throws {
      try configureToKeepPlaying()
      let terminal = try start(.now)
      terminal.send(SIGHUP)
      #expect(terminal.shows("\u{1B}[?1049l"))
      #expect(try playground.segue("status").output.hasPrefix("▶ Gymnopédie No. 1"))
      #expect(terminal.isRestored)
      terminal.send(SIGTERM)
      #expect(terminal.exitStatus() == 143)
    }

    @Test func `A paused player ends with its terminal`() throws {
      try configureToKeepPlaying()
      let terminal = try start(.line, isPaused: true)
      terminal.send(SIGHUP)
      #expect(terminal.exitStatus() == 129)
      #expect(terminal.isRestored)
    }
  }
}
