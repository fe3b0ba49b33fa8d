// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import LibraryScanning
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow
@testable import PlayerPort

/// What is recorded of plays and skips.
@Suite struct PlayRecordTests {
  private let library: ExampleLibrary
  private let track: Track
  private let id: Int64

  init() throws {
    library = try ExampleLibrary(["Anthem", "Ballad"])
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
    let entry = try #require(
      try library.index.tracks(.text(.title, TextPattern("Anthem")), order: LibraryOrder(), window: .init()).elements
        .first)
    (track, id) = (entry.track, entry.id)
  }

  private func listening(_ start: Int64, heard: Int) -> PlayCounter.Listening {
    PlayCounter.Listening(track: track, start: start, heard: .seconds(heard), origin: "Evening")
  }

  private var plays: [LoggedPlay] {
    get throws { try library.index.plays(PlayPeriod(), window: .init()).elements }
  }

  private func value(_ name: String) throws -> String? {
    try library.index.stickers(of: id).first { $0.name == name }?.value
  }

  @Test func `A play is counted and logged when it counts, and how much was heard when it ends`() throws {
    let record = PlayRecord(library.index, logsPlays: true)
    #expect(record.receive(.played(listening(1_000, heard: 30))))
    #expect(try value(Sticker.playCount) == "1" && value(Sticker.lastPlayed) == "1000")
    #expect(try plays.map(\.heard) == [.seconds(30)] && plays.map(\.origin) == ["Evening"])
    #expect(!record.receive(.finished(listening(1_000, heard: 55))))
    #expect(try plays.map(\.heard) == [.seconds(55)])
    // The end of a play that was not logged changes no other.
    #expect(!record.receive(.finished(listening(2_000, heard: 11))))
    #expect(try plays.map(\.heard) == [.seconds(55)] && value(Sticker.playCount) == "1")
  }

  @Test func `A skip is counted, and not logged`() throws {
    let record = PlayRecord(library.index, logsPlays: true)
    #expect(record.receive(.skipped(track)))
    #expect(try value(Sticker.skipCount) == "1" && value(Sticker.playCount) == nil && plays == [])
    #expect(Int64(try value(Sticker.lastSkipped) ?? "") ?? 0 > 1_700_000_000)
  }

  @Test func `A track outside of the library is logged, and not counted`() throws {
    let record = PlayRecord(library.index, logsPlays: true)
    let other = PlayCounter.Listening(
      track: Track(path: "/elsewhere/x.flac", title: "X"), start: 5, heard: .seconds(9), origin: "")
    #expect(!record.receive(.played(other)))
    #expect(try plays.map(\.track.title) == ["X"])
  }

  @Test func `Without a log, plays are only counted`() throws {
    let record = PlayRecord(library.index, logsPlays: false)
    #expect(record.receive(.played(listening(1_000, heard: 30))))
    #expect(!record.receive(.finished(listening(1_000, heard: 55))))
    #expect(try plays == [] && value(Sticker.playCount) == "1")
  }
}
