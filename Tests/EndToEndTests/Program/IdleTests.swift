import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// A player with nothing to do.
  @Suite(.serialized) struct Idle {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// How often the threads of a process have been woken so far, and which there are.
    private func wakeUps(_ process: Int32) throws -> [String: Int] {
      let tasks = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(into: [:]) { counts, task in
        let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        counts[task] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
          .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
      }
    }

    /// Whether no thread is woken for so long, sooner or later.
    private func comesToRest(_ process: Int32, forMilliseconds milliseconds: UInt64) throws -> Bool {
      try eventually {
        guard let before = try? wakeUps(process) else { return false }
        MonotonicInstant.now.advanced(byMilliseconds: milliseconds).sleep()
        return try wakeUps(process) == before
      }
    }

    @Test func `A player that waits is not woken, whatever was read, scanned and asked before`() throws {
      let copying = """
        cp -r '\(Playground.music)' music && mkdir music/many
        for i in {1..80}; do cp '\(file)' music/many/$i.flac; done
        """
      #expect(try playground.shell(copying).status == 0)
      let music = Playground(playground, with: ["SEGUE_LIBRARY": playground["music"]])
      let server = try TerminalSession(music, ["serve", "--output", "silent"])
      #expect(server.shows("listening at"))
      #expect(try music.segue("play", playground["music/many"]).status == 0)
      #expect(try music.segue("pause").status == 0)
      #expect(try comesToRest(server.processIdentifier, forMilliseconds: 1500))
      #expect(try playground.shell("cp '\(file)' music/new.flac").status == 0)
      #expect(try eventually { try music.segue("tracks", "path:new.flac").lines.count == 1 })
      #expect(try comesToRest(server.processIdentifier, forMilliseconds: 1500))
      server.send(SIGTERM)
      #expect(server.end() == 143)
    }

    private var file: String { Playground.canon.appending("01 Canon in D, Part One.flac").string }
  }
}
