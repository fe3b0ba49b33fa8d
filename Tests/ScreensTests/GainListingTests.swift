// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing
import UnicodeText

@testable import Screens

@Suite struct GainListingTests {
  private let progress: GainProgress = {
    var progress = GainProgress()
    progress.tracks = 48
    progress.finishedTracks = 12
    progress.length = .seconds(10_000)
    progress.measured = .seconds(2_500)
    progress.elapsed = .seconds(25)
    return progress
  }()

  @Test func `The line shows tracks, percentage, speed and remaining time`() {
    #expect(
      progress.line(columns: 80)
        == "12/48 tracks ━━━━━━━━━━────────────────────────────── 25%  100x  1:15 left")
  }

  @Test(arguments: 1...120)
  func `The line leaves one cell free, whatever the terminal's width`(columns: Int) {
    var withoutLength = progress
    withoutLength.length = .zero
    var beyondEnd = progress
    beyondEnd.measured = .seconds(Int64.max / 4)
    for progress in [progress, GainProgress(), withoutLength, beyondEnd] {
      #expect(progress.line(columns: columns).cellWidth < max(columns, 1) || columns == 1)
    }
  }

  /// Returns the report of an album with tracks of these titles and loudnesses in LUFS, or of the first track alone.
  private func report(_ values: [(title: String, lufs: Double?)], isAlbum: Bool = true) throws -> GainReport {
    let directory = try TemporaryDirectory()
    let status = try FileStatus(of: directory.write("x".utf8, to: "a"))
    let part = StoredLoudness.AlbumPart(key: 1, integrated: -9.25, truePeak: 1)
    let tracks = values.enumerated().map { index, value in
      var track = Track(path: FilePath("/\(index).flac"), title: value.title)
      track.number = Ordinal(index + 1)
      return track
    }
    let lines = zip(tracks, values).map { track, value in
      GainReport.Line(
        track: track,
        loudness: StoredLoudness(
          path: track.path, status: status, integrated: value.lufs, range: value.lufs.map { _ in 6.04 },
          truePeak: value.lufs == nil ? 0 : 0.5, album: isAlbum ? part : nil))
    }
    let album = Album(title: "Al\u{1B}bum", artist: "Artist", tracks: tracks)
    return GainReport(album: isAlbum ? GainAlbum(album) : GainAlbum(file: tracks[0]), lines: lines)
  }

  @Test func `The table is aligned by cells, and shows missing loudness as a dash`() throws {
    let lines = try report([("さくら", -8.06), ("Silence", nil)]).table(columns: nil)
    #expect(
      lines == [
        "Artist/Al␛bum",
        "Track        Loudness   Range  True peak  Track gain  Album gain",
        "01 さくら   -8.1 LUFS  6.0 LU    -6.0 dB     -9.9 dB     -8.8 dB",
        "02 Silence          -       -          -           -     -8.8 dB",
        "Album       -9.3 LUFS             0.0 dB                 -8.8 dB",
      ])
    for columns in 20...70 {
      let narrow = try report([("さくら", -8.06), ("Silence", nil)]).table(columns: columns)
      #expect(narrow.allSatisfy { $0.cellWidth <= columns })
    }
  }

  @Test func `A single file has no row for its album`() throws {
    #expect(try report([("A", -8)], isAlbum: false).table(columns: nil).count == 3)
  }

  @Test func `JSON omits missing values`() throws {
    let json = try report([("A \"quoted\"", -8), ("Silence", nil)]).json
    #expect(json[0].contains(#""title":"A \"quoted\"""#) && json[0].contains(#""trackGain":-10"#))
    #expect(
      !json[1].contains("loudness\"") && !json[1].contains("trackGain") && json[1].contains("albumGain"))
  }
}
