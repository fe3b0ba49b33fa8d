// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What a sound card behind PulseAudio plays, which the server lets render ahead, and takes back for commands.
  @Suite(.enabled(if: SoundServer.hasCard, Comment(rawValue: SoundServer.cardReason)))
  struct CardTests {
    /// What the card plays after a command.
    private enum Continuation {
      /// A track, from its first frame on.
      case start(of: Int)
      /// A track from a number of seconds on, with a fade-in.
      case fadeIn(Int, seconds: Int)
      /// Nothing.
      case silence
      /// With a fade-in, what comes after the fade-out before the silence.
      case resumption

      /// The position of the first frame; `nil` if that depends on what was played before, or if there is none.
      var position: Int? {
        switch self {
        case .start(let track): CardTests.position(of: track)
        case .fadeIn(let track, let seconds): CardTests.position(of: track) + seconds * CardTests.rate
        case .silence, .resumption: nil
        }
      }

      var fadesIn: Bool {
        switch self {
        case .fadeIn, .resumption: true
        case .start, .silence: false
        }
      }

      var isSound: Bool { if case .silence = self { false } else { true } }
    }

    private static let rate = 44_100
    private static let trackFrames = 8 * rate
    /// The number of frames of a fade.
    private static let fade = 353
    /// The maximum difference between the levels of successive frames in a fade.
    private static let maximumFadeStep = 64
    /// The maximum of the median delay, in frames: less than what the card has in its buffer, and more than what a busy
    /// machine needs. The recording lags behind by up to half of it.
    private static let maximumDelay = rate / 2

    @Test func `No frame is lost, repeated or cut off when commands follow one another`() throws {
      try SoundServer.runWithCard { server in
        for track in 1...6 { try write(track, in: server) }
        let arguments = ["repl", "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          var random = SeededGenerator(seed: 43)
          var commands: [(text: String, continuation: Continuation, instant: Int)] = []
          func perform(_ text: String, _ continuation: Continuation) throws {
            commands.append((text, continuation, try server.frameCount))
            try player.enter(text)
            try wait(for: continuation, in: server)
            try server.record(until: server.frameCount + Int.random(in: 0..<Self.rate / 4, using: &random))
          }
          try perform("play '\(server.album)'", .start(of: 1))
          // Each edit of the queue is heard at the end of the track: moved, removed and added tracks.
          let rounds = [
            (track: 1, next: 2, position: 2, edit: "queue move 5 next", edited: 5),
            (track: 5, next: 2, position: 3, edit: "queue remove 3", edited: 3),
            (track: 3, next: 4, position: 4, edit: "queue next '\(file(2, in: server))'", edited: 2),
          ]
          for round in rounds {
            try perform("next", .start(of: round.next))
            try perform("seek 5", .fadeIn(round.next, seconds: 5))
            try perform("previous", .start(of: round.next))
            try perform("pause", .silence)
            try perform("resume", .resumption)
            try perform("stop", .silence)
            try perform("queue play \(round.position)", .start(of: round.next))
            try perform("previous", .start(of: round.track))
            try perform("seek 6", .fadeIn(round.track, seconds: 6))
            try perform(round.edit, .start(of: round.edited))
          }
          try player.enter("quit")
          #expect(try player.waitUntilExit(within: 20).status == 0)
          let frames = try server.frames
          let runs = expectUncut(frames, commands.map { ($0.text, $0.continuation) })
          // The sound fades as soon as the command is performed, whatever the card has in its buffer.
          let heard = zip(commands.filter { $0.continuation.isSound }.dropFirst(), runs)
          let delays = heard.filter { !$0.0.text.hasPrefix("queue") && $0.0.text != "resume" }
            .map { $0.1.end - $0.0.instant }.sorted()
          #expect(!delays.isEmpty && delays[delays.count / 2] < Self.maximumDelay, "\(delays)")
        }
      }
    }

    @Test func `Every start is heard from its first frame`() throws {
      try SoundServer.runWithCard { server in
        try write(1, in: server)
        let starts = 10
        for _ in 0..<starts {
          let arguments = ["play", server.album.string, "--output", "pulse"]
          try Player.run(arguments, environment: server.environment, in: server.directory) { player in
            try wait(for: .start(of: 1), in: server)
            player.send(15)
            _ = try player.waitUntilExit(within: 20)
            try wait(for: .silence, in: server)
          }
        }
        expectUncut(try server.frames, Array(repeating: ("play", .start(of: 1)), count: starts))
      }
    }

    private func file(_ track: Int, in server: SoundServer) -> FilePath { server.album.appending("\(track).wav") }

    /// The position of the first frame of a track in the sound of all tracks.
    private static func position(of track: Int) -> Int { (track - 1) * trackFrames }

    private func write(_ track: Int, in server: SoundServer) throws {
      let start = Self.position(of: track)
      let wave = Ruler.file(start..<start + Self.trackFrames, rate: Self.rate)
      try server.directory.write(wave, to: "album/\(track).wav")
    }

    /// Waits until what the card plays after a command is in the recording.
    private func wait(for continuation: Continuation, in server: SoundServer) throws {
      try waitFor("\(continuation)") {
        guard let frame = try server.lastFrame else { return false }
        guard let position = Ruler.position(of: frame) else {
          return continuation.isSound ? false : frame.left == 0 && frame.right == 0
        }
        // A part of a second later, it still plays that.
        return continuation.position.map { ($0..<$0 + Self.rate).contains(position) } ?? continuation.isSound
      }
    }

    /// Expects the recording to consist of what follows each command, and reports the first difference.
    @discardableResult
    private func expectUncut(
      _ frames: [(left: Int16, right: Int16)], _ commands: [(text: String, continuation: Continuation)]
    ) -> [Ruler.Run] {
      let runs = Self.joined(Ruler.runs(frames), of: frames)
      let expected = commands.enumerated().filter { $0.element.continuation.isSound }
      for (index, (number, command)) in expected.enumerated() {
        let name = "command \(number + 1), \"\(command.text)\""
        guard index < runs.count else {
          Issue.record("nothing was heard of \(name)")
          return runs
        }
        let run = runs[index]
        var range: ClosedRange<Int>
        if let position = command.continuation.position {
          range = position...position
        } else {
          let end = index > 0 ? runs[index - 1].next + Self.fade : 0
          range = end - 4...end + 4
        }
        if command.continuation.fadesIn { range = range.lowerBound + Self.fade - 4...range.upperBound + Self.fade }
        let missing = frames[..<run.index].reversed().prefix(while: SoundServer.isMissing).count
        guard range.overlaps(run.position - missing...run.position) else {
          let before = index > 0 ? "\(runs[index - 1])" : "silence"
          Issue.record("after \(name), frame \(run.position) was heard instead of \(range): \(run) after \(before)")
          return runs
        }
      }
      #expect(runs.count == expected.count, "sound without a command: \(runs[expected.count...])")
      expectFades(frames, runs)
      return runs
    }

    /// Returns `runs`, with each run merged into the one before it if only missing frames are between them.
    private static func joined(_ runs: [Ruler.Run], of frames: [(left: Int16, right: Int16)]) -> [Ruler.Run] {
      runs.reduce(into: []) { joined, run in
        if let last = joined.last, run.index - last.end == run.position - last.next,
          frames[last.end..<run.index].allSatisfy(SoundServer.isMissing)
        {
          joined[joined.count - 1].count = run.next - last.position
          joined[joined.count - 1].end = run.end
        } else {
          joined.append(run)
        }
      }
    }

    /// Expects all sound to fade in and out, except for what starts at the first frame of a track.
    private func expectFades(_ frames: [(left: Int16, right: Int16)], _ runs: [Ruler.Run]) {
      let starts = Set(runs.filter { $0.position % Self.trackFrames == 0 }.map(\.index))
      // The right channel has nearly one level in a track.
      for (index, (last, frame)) in zip(frames, frames.dropFirst()).enumerated() {
        guard !SoundServer.isMissing(last), !SoundServer.isMissing(frame), !starts.contains(index + 1) else { continue }
        if abs(Int(frame.right) - Int(last.right)) > Self.maximumFadeStep {
          let run = runs.last { $0.index <= index }
          Issue.record("from frame \(index) to the next, the level jumps from \(last) to \(frame), after \(run as Any)")
          return
        }
      }
    }
  }
}
