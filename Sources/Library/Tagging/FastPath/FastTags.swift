// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage

/// The tags and the header of an ordinary file: FLAC, Ogg Vorbis, Opus, MP3 or WAV, with the usual tags.
///
/// The values are the same as TagLib's, which takes several times as long. The first scan needs the speed; see
/// `Tests/Benchmarks`. Everything unusual (damage, other tags, rare frames and encodings, values that TagLib changes)
/// is left to TagLib. This type could therefore be deleted without changing any result.
struct FastTags {
  /// The values with TagLib's names, sorted by name.
  private(set) var values: [(name: String, value: TagText)] = []
  /// The cue sheet in the `CUESHEET` block of a FLAC file, as text; `nil` if there is none.
  var cueSheet: String?
  /// Whether the file is a native FLAC file.
  private(set) var isFLAC = false
  /// Whether text that a tag says is UTF-8 is not valid.
  var hasInvalidText = false
  /// The sample rate, in Hz.
  var sampleRate = 0
  var channels = 0
  /// The bits per sample; `nil` for formats without a bit depth.
  var bitDepth: Int?
  /// The length in milliseconds; 0 if unknown.
  var milliseconds = 0

  /// Reads `file`. As in TagLib, the suffix of `path` determines the format.
  ///
  /// - Throws: ``UnusualFileError`` if TagLib must read the file.
  init(of file: inout TagFile, at path: FilePath) throws(UnusualFileError) {
    switch path.extension?.lowercased() {
    case "flac":
      try readFLAC(&file)
      isFLAC = true
    case "mp3": try readMPEG(&file)
    case "ogg": try readOgg(&file, isOpus: false)
    case "opus": try readOgg(&file, isOpus: true)
    case "wav": try readWAV(&file)
    default: throw UnusualFileError()
    }
    guard sampleRate > 0 else { throw UnusualFileError() }
  }

  /// Reads only the comments of a FLAC or Ogg file, for those that TagLib drops because they are not UTF-8.
  ///
  /// - Throws: ``UnusualFileError`` if they cannot be read.
  init(commentsOf file: inout TagFile) throws(UnusualFileError) {
    if try file.bytes(at: 0, count: 4).holds("OggS") {
      try readOggComments(&file)
    } else {
      try readFLACComments(&file)
    }
  }

  /// All values of the names that have values whose encoding is not stated.
  var partlyUndecoded: [(name: String, value: TagText)] {
    let names = Set(values.lazy.filter { $0.value.bytes != nil }.map(\.name))
    return names.isEmpty ? [] : values.filter { names.contains($0.name) }
  }

  /// Appends a value unless it is empty.
  mutating func add(_ name: String, _ value: TagText) {
    if !value.text.isEmpty { values.append((name, value)) }
  }

  /// Sorts the values by name. Values of the same name keep their order.
  mutating func sort() { values.sort { $0.name < $1.name } }

  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Sets the length from a number of frames.
  ///
  /// - Throws: ``UnusualFileError`` if the result is not a plausible number of milliseconds.
  mutating func setLength(frames: Double, sampleRate: Double) throws(UnusualFileError) {
    let length = frames * 1000 / sampleRate + 0.5
    guard length >= 0, length < 2e9 else { throw UnusualFileError() }
    milliseconds = Int(length)
  }
}
