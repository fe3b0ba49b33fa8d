import MusicModel
import SystemPackage

/// What is read of a file that is tagged as most are: FLAC, Ogg Vorbis, Opus, MP3 or WAV, with the usual tags.
///
/// It is what TagLib gives, value by value, several times faster (a first scan depends on it: `Tests/Benchmarks`).
/// Whatever is unusual - damage, other tags, rare frames and encodings, values that TagLib changes - is left to TagLib.
struct FastTags {
  /// The values by TagLib's names for them, in the order of the names.
  private(set) var values: [(name: String, value: String)] = []
  /// The cue sheet in a FLAC file's block of that name, as text.
  var cueSheet: String?
  /// Frames a second.
  var sampleRate = 0
  /// Samples in a frame.
  var channels = 0
  /// Bits in a sample, where the format has such a number.
  var bitDepth: Int?
  /// The length in milliseconds; 0 where it is unknown.
  var milliseconds = 0

  /// Reads `file`, whose format is known by the suffix of `path`, as TagLib does.
  ///
  /// - Throws: ``UnusualTags`` where TagLib has to read it.
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

  /// Adds a value behind all others; an empty one does not count.
  mutating func add(_ name: String, _ value: String) {
    if !value.isEmpty { values.append((name, value)) }
  }

  /// Brings the values into the order of their names; those of one name stay in theirs.
  mutating func sort() { values.sort { $0.name < $1.name } }

  /// Whether there is a value under `name`.
  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Sets the length to so many frames.
  ///
  /// - Throws: ``UnusualTags`` where that is no sensible number of milliseconds.
  mutating func setLength(frames: Double, sampleRate: Double) throws(UnusualTags) {
    let length = frames * 1000 / sampleRate + 0.5
    guard length >= 0, length < 2e9 else { throw UnusualTags() }
    milliseconds = Int(length)
  }
}
