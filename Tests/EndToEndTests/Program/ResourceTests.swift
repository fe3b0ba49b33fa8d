// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Limited system resources: failures are reported, and every command ends.
  @Suite(.serialized) struct FewResources {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: [5, 20, 63])
    func `Too few descriptors are reported`(limit: Int) throws {
      let outcome = try playground.shell(
        """
        ulimit -n \(limit)
        for line in albums queue 'play ground --output raw:out.raw' 'serve --output silent'; do
          timeout -k 5 20 $SEGUE $line; echo $?
        done
        """)
      #expect(outcome.lines == ["1", "1", "1", "1"])
      let errors = outcome.errors.split(separator: "\n")
      #expect(errors.count == 4 && errors.allSatisfy { $0.hasPrefix("segue: ") }, "\(outcome.errors)")
    }

    @Test func `The required number of descriptors is enough to play and serve`() throws {
      let outcome = try playground.shell(
        """
        ulimit -n 64
        $SEGUE play ground --output raw:out.raw >/dev/null; echo $?
        timeout -k 5 60 $SEGUE serve --output silent >/dev/null & player=$!
        await '[ -S state/socket ]'
        for i in {1..40}; do $SEGUE status >/dev/null; done; $SEGUE play ground >/dev/null; echo $?
        kill $player; wait $player; echo $?
        """)
      #expect(outcome.lines == ["0", "0", "143"] && outcome.errors.isEmpty, "\(outcome)")
    }

    @Test(arguments: [160_000, 221_000, 270_000])
    func `Too little memory is reported`(kilobytes: Int) throws {
      let outcome = try playground.shell(
        """
        ulimit -v \(kilobytes)
        for line in 'play ground --output silent:40' 'serve --output silent' 'scan --again' 'gain --all'; do
          timeout -k 5 20 $SEGUE $line; echo $?
        done
        """)
      #expect(outcome.lines == ["1", "1", "1", "1"])
      let errors = outcome.errors.split(separator: "\n")
      #expect(
        errors.count == 4 && errors.allSatisfy { $0.hasPrefix("segue: the limit on memory is ") }, "\(outcome.errors)")
    }

    @Test(arguments: stride(from: 300_000, through: 500_000, by: 50_000).map { $0 })
    func `With little memory every command ends, and nothing traps`(kilobytes: Int) throws {
      let outcome = try playground.shell(
        """
        ulimit -v \(kilobytes)
        for line in albums 'scan --again' 'play ground --output silent:40'; do timeout -k 5 60 $SEGUE $line >/dev/null; echo $?; done
        $SEGUE serve --output silent >/dev/null & player=$!
        for i in {1..50}; do [ -S state/socket ] || ! kill -0 $player 2>/dev/null || sleep 0.1; done
        kill $player 2>/dev/null; for i in {1..150}; do kill -0 $player 2>/dev/null && sleep 0.1; done
        kill -9 $player 2>/dev/null; wait $player; echo $?
        """)
      for status in outcome.lines { #expect(["0", "1", "6", "143"].contains(status), "\(outcome)") }
      #expect(outcome.lines.count == 4)
    }
  }
}

extension ProgramTests {
  /// Wake-ups of an idle player.
  @Suite(.serialized) struct Idle {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Returns the number of context switches of each thread of a process.
    private func wakeUps(_ process: Int32) throws -> [String: Int] {
      let tasks = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(into: [:]) { counts, task in
        let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        counts[task] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
          .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
      }
    }

    /// Waits until no thread of the process is woken for a period of this length; returns false if that never happens.
    private func becomesIdle(_ process: Int32, forMilliseconds milliseconds: UInt64) throws -> Bool {
      try eventually {
        guard let before = try? wakeUps(process) else { return false }
        MonotonicInstant.now.advanced(byMilliseconds: milliseconds).sleep()
        return try wakeUps(process) == before
      }
    }

    @Test func `An idle player is not woken, whatever was read, scanned and queried before`() throws {
      let copyScript = """
        cp -r '\(Playground.music)' music && mkdir music/many
        for i in {1..80}; do cp '\(file)' music/many/$i.flac; done
        """
      #expect(try playground.shell(copyScript).status == 0)
      let music = Playground(playground, with: ["SEGUE_LIBRARY": playground["music"]])
      let server = try TerminalSession(music, ["serve", "--output", "silent"])
      #expect(server.shows("listening on"))
      #expect(try music.segue("play", playground["music/many"]).status == 0)
      #expect(try music.segue("pause").status == 0)
      #expect(try becomesIdle(server.processIdentifier, forMilliseconds: 1500))
      #expect(try playground.shell("cp '\(file)' music/new.flac").status == 0)
      #expect(try eventually { try music.segue("tracks", "path:new.flac").lines.count == 1 })
      #expect(try becomesIdle(server.processIdentifier, forMilliseconds: 1500))
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
    }

    private var file: String { Playground.canon.appending("01 Canon in D, Part One.flac").string }
  }
}

extension ProgramTests {
  /// The render loop of an optimised build, checked by the program `RealTimeCheck` in `Tests/Benchmarks`; only on
  /// Linux.
  @Suite(.serialized, .enabled(if: (try? FileStatus(of: "/proc/self")) != nil, "there is no /proc")) struct RealTime {
    private static let program = Playground.product("RealTimeCheck").string

    @Test func `The render loop does not allocate, count references, lock or use files`() throws {
      let lines = try lines(Tool.run(Self.program, []))
      for line in lines { print(line) }
      #expect(lines.count >= 9)
      for line in lines {
        #expect(line.contains(": 0 allocations, 0 references, 0 locks, 0 files, "))
        #expect(!line.contains(" 0 rounds"))
      }
    }

    @Test(arguments: ["allocations", "references", "locks", "files"])
    func `An output that violates a rule is detected`(_ kind: String) throws {
      #expect(performing: { try Tool.run(Self.program, [kind]) }, throws: { "\($0)".contains("\([kind]): 1 ") })
    }

    private func lines(_ output: [UInt8]) -> [String] {
      String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}
