// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport

/// The music of the recorded transcripts: the fixtures' library, and
///
/// - the albums *Slow Movement*, whose three tracks of ten minutes outlast any test, the first with lyrics;
/// - two albums *Nocturnes* by different artists, without sound;
/// - *Four Seasons*, one file with a cue sheet;
/// - a playlist, *Evening*, and a text file that pretends to be an MP3 file.
enum GoldenLibrary {
  /// Creates the library in `music`. Its files are from the year 2024.
  static func make(in playground: Playground) throws {
    let copied = try playground.shell("cp -r '\(Playground.music)' music")
    guard copied.status == 0 else { throw Tool.Failure(description: copied.errors) }
    let titles = ["Dawn", "Noon", "Dusk"]
    for (index, title) in titles.enumerated() {
      let fields = [
        ("INAM", title), ("IART", "Adagio Ensemble"), ("IPRD", "Slow Movement"), ("ITRK", "\(index + 1)"),
        ("ICRD", "1999"), ("IGNR", "Ambient"),
      ]
      try writeSilence(600, fields, to: "music/Slow Movement/0\(index + 1) \(title).wav", in: playground)
    }
    try write("[00:01.00]First light\n[00:05.50]Second light\n", to: "music/Slow Movement/01 Dawn.lrc", in: playground)
    for artist in ["Anna Bell", "Bruno Clark"] {
      for (index, title) in ["Moonrise", "Starlight"].enumerated() {
        let tags = [
          ("TITLE", title), ("ARTIST", artist), ("ALBUM", "Nocturnes"), ("TRACKNUMBER", "\(index + 1)"),
          ("DATE", artist == "Anna Bell" ? "2001" : "2002"), ("GENRE", "Piano"),
        ]
        let name = FilePath("music/\(artist)/Nocturnes/\(index + 1).flac")
        try playground.directory.write(SoundBytes.flac(tags, seconds: 60), to: name)
      }
    }
    try writeSilence(400, [], to: "music/Four Seasons/Four Seasons.wav", in: playground)
    let sheet =
      "PERFORMER \"Weather Quartet\"\nTITLE \"Four Seasons\"\nREM DATE 2010\nFILE \"Four Seasons.wav\" WAVE\n"
      + ["Spring", "Summer", "Autumn", "Winter"].enumerated().map { index, title in
        "  TRACK 0\(index + 1) AUDIO\n    TITLE \"\(title)\"\n    INDEX 01 0\(index * 2):00:00\n"
      }.joined()
    try write(sheet.replacing("06:00:00", with: "05:30:00"), to: "music/Four Seasons/Four Seasons.cue", in: playground)
    let list = "#EXTM3U\n../Slow Movement/03 Dusk.wav\n../Slow Movement/01 Dawn.wav\n"
    try write(list, to: "music/Playlists/Evening.m3u8", in: playground)
    try write("not a recording\n", to: "music/Odds/broken.mp3", in: playground)
    let dated = try playground.shell("find music -exec touch -d 2024-05-06T07:08:09Z {} +")
    guard dated.status == 0 else { throw Tool.Failure(description: dated.errors) }
  }

  private static func write(_ text: String, to name: String, in playground: Playground) throws {
    try playground.directory.write(Array(text.utf8), to: FilePath(name))
  }

  /// Writes a WAV file of `seconds` of silence (8 kHz, 16 bits, mono), whose samples take no space on most disks.
  private static func writeSilence(
    _ seconds: Int, _ fields: [(String, String)], to name: String, in playground: Playground
  ) throws {
    // The header of a file with one second of sound, with another length.
    let tags = fields.isEmpty ? [] : Array(SoundBytes.wav(info: fields.map { ($0.0, Array($0.1.utf8)) })[16_044...])
    let length = seconds * 16_000
    let bytes =
      Array("RIFF".utf8) + little(36 + tags.count + length) + SoundBytes.wav()[8..<36] + tags + Array("data".utf8)
      + little(length)
    try playground.directory.write(bytes, to: FilePath(name))
    try playground.directory.file(name).truncate(to: bytes.count + length)
  }

  private static func little(_ value: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
