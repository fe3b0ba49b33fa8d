// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage

/// The tags and header of an ordinary file: FLAC, Ogg Vorbis, Opus, MP3 or WAV, with the usual tags.
///
/// The values are those of TagLib, which takes several times as long (the first scan needs the speed: see
/// `Tests/Benchmarks`). Whatever is unusual - damage, other tags, rare frames and encodings, values that TagLib
/// changes - is left to TagLib. So this can be deleted without changing a result.
struct FastTags {
  /// The values with TagLib's names for them, sorted by name.
  private(set) var values: [(name: String, value: String)] = []
  /// The cue sheet in a FLAC file's `CUESHEET` block, as text.
  var cueSheet: String?
  /// Frames a second.
  var sampleRate = 0
  /// Samples in a frame.
  var channels = 0
  /// Bits in a sample, where the format has such a number.
  var bitDepth: Int?
  /// The length in milliseconds; 0 where it is unknown.
  var milliseconds = 0

  /// Reads `file`; like TagLib, determines its format by the suffix of `path`.
  ///
  /// - Throws: ``UnusualTags`` if TagLib has to read it.
  init(of file: inout TagFile, at path: FilePath) throws(UnusualTags) {
    switch path.extension?.lowercased() {
    case "flac": try readFLAC(&file)
    case "mp3": try readMPEG(&file)
    case "ogg": try readOgg(&file, isOpus: false)
    case "opus": try readOgg(&file, isOpus: true)
    case "wav": try readWAV(&file)
    default: throw UnusualTags()
    }
    guard sampleRate > 0 else { throw UnusualTags() }
  }

  /// Appends a value unless it is empty.
  mutating func add(_ name: String, _ value: String) {
    if !value.isEmpty { values.append((name, value)) }
  }

  /// Sorts the values by name; values of one name keep their order.
  mutating func sort() { values.sort { $0.name < $1.name } }

  /// Whether there is a value under `name`.
  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Sets the length to a number of frames.
  ///
  /// - Throws: ``UnusualTags`` if that is no sensible number of milliseconds.
  mutating func setLength(frames: Double, sampleRate: Double) throws(UnusualTags) {
    let length = frames * 1000 / sampleRate + 0.5
    guard length >= 0, length < 2e9 else { throw UnusualTags() }
    milliseconds = Int(length)
  }
}
