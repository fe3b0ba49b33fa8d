// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Sinks come and go while an album plays to the first of a list.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct PreferredOutputTests {
    private static let rate = 44_100
    private static let length = 6 * rate
    /// How many frames may be missing where the music moves: those of the two fades, and what the ruler needs to find
    /// its place. If the program is not optimised, it may be too late to replace what the server has already read.
    #if DEBUG
      private static let join = -rate / 2...rate * 30 / 1_000
    #else
      private static let join = 0...rate * 30 / 1_000
    #endif
    /// The number of frames that a sink that is lost may have played unnoticed, or not have played.
    private static let bufferFrames = rate * 510 / 1_000

    /// Plays an album to the first available of `outputs`.
    private func play(
      to outputs: [String], on server: SoundServer, _ body: (Player) throws -> Void
    ) throws {
      let middle = Self.length / 2
      try server.directory.write(Ruler.file(0..<middle, rate: Self.rate), to: "album/1.wav")
      try server.directory.write(Ruler.file(middle..<Self.length, rate: Self.rate), to: "album/2.wav")
      let list = outputs.map { "\"\($0)\"" }.joined(separator: ", ")
      let settings = try server.directory.write("outputs = [\(list)]\n".utf8, to: "config.toml")
      try Player.run(
        ["play", server.album.string],
        environment: server.environment.merging(["SEGUE_CONFIG": settings.string]) { $1 }, in: server.directory, body)
    }

    private func runs(_ recording: FilePath) throws -> [Ruler.Run] {
      Ruler.runs(SoundServer.frames(in: try contents(of: recording)))
    }

    @Test func `The music moves to a better sink when it comes, and back when it goes`() throws {
      try SoundServer.run { server in
        try play(to: ["pulse:head", "pulse:test"], on: server) { player in
          try server.record(until: server.awaitSound() + Self.rate / 4)
          let head = try server.addSink("head")
          try player.waitForError(containing: "playing to pulse:head")
          try waitFor("the sound there") { try !runs(head.recording).isEmpty }
          try server.record(until: server.frameCount + Self.rate / 2)
          try server.control("unload-module", head.module)
          try player.waitForError(containing: "playing to pulse:test")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0 && outcome.errors.count == 2, "\(outcome.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          let here = Ruler.runs(try server.frames)
          let start = try #require(try runs(head.recording).first?.position)
          let (before, after) = (here.filter { $0.position < start }, here.filter { $0.position >= start })
          // The recorder of a sink that has gone is moved to the other one.
          let there = try runs(head.recording).filter { run in after.first.map { run.position < $0.position } ?? true }
          #expect(before.first?.position == 0 && after.last?.next == Self.length, "\(here) \(there)")
          let parts = [before, there, after]
          for part in parts {
            for (run, next) in zip(part, part.dropFirst()) { #expect(next.position == run.next, "\(here) \(there)") }
          }
          let joins = zip(parts, parts.dropFirst()).compactMap { part, next in
            next.first.flatMap { first in part.last.map { first.position - $0.next } }
          }
          #expect(joins.count == 2)
          #expect(Self.join.contains(joins[0]), "\(joins[0]) frames are missing")
          #expect(abs(joins[1]) <= Self.bufferFrames, "resumed \(joins[1]) frames after the last one heard")
        }
      }
    }

    @Test func `Without any of its sinks the player pauses, and nothing is heard elsewhere`() throws {
      try SoundServer.run { server in
        // It moves streams from a sink that goes to another one.
        try server.control("load-module", "module-rescue-streams")
        let head = try server.addSink("head")
        try play(to: ["pulse:head"], on: server) { player in
          try waitFor("the sound") { try runs(head.recording).first.map { $0.next > Self.rate / 2 } == true }
          try server.control("unload-module", head.module)
          try player.waitForError(containing: "paused: none of the preferred outputs is available")
          try waitFor("the pause") { try player.status().contains("\"phase\":\"paused\"") }
          let back = try server.addSink("head")
          // Longer than it takes to use a sink that has come.
          try server.record(until: server.frameCount + 3 * Self.rate / 2)
          #expect(try player.status().contains("\"phase\":\"paused\""))
          #expect(try runs(back.recording).isEmpty)
          try player.perform("resume")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0)
          #expect(
            outcome.errors == [
              "segue: paused: none of the preferred outputs is available", "segue: playing to pulse:head",
            ])
          #expect(try server.frames.allSatisfy { $0 == (0, 0) })
          let (before, after) = (try runs(head.recording), try runs(back.recording))
          let end = try #require(before.last?.next)
          let start = try #require(after.first?.position)
          #expect(before.first?.position == 0 && after.last?.next == Self.length, "\(before) \(after)")
          #expect(abs(start - end) <= Self.bufferFrames, "resumed \(start - end) frames after the last one heard")
        }
      }
    }

    @Test func `A server that restarts is waited for, and reported as without a list`() throws {
      try SoundServer.run { server in
        try play(to: ["pulse:head", "pulse:test"], on: server) { player in
          try server.record(until: server.awaitSound() + Self.rate)
          server.kill()
          try player.waitForError(containing: "reopening the output: pulse")
          try server.restart()
          try player.waitForError(containing: "the output device is back")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0 && outcome.errors.count == 2, "\(outcome.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          #expect(Ruler.runs(try server.frames).last?.next == Self.length)
        }
      }
    }
  }
}
