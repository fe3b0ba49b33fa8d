// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport

/// 16-bit stereo noise, as samples and in files.
struct Noise {
  static let rate = 44_100

  /// The samples, with interleaved channels.
  let samples: [Int32]

  /// Creates the noise for `seed`; the same seed gives the same noise.
  init(seed: UInt64, frames: Int, peak: Int32 = 16_000) {
    var random = SeededGenerator(seed: seed)
    // The first frame is loud, so that the start of the noise can be found in a recording.
    samples = [peak, peak] + (2..<2 * frames).map { _ in Int32.random(in: -peak...peak, using: &random) }
  }

  var frameCount: Int { samples.count / 2 }

  /// Writes the noise to a FLAC file with tags such as "ALBUM=x".
  @discardableResult
  func write(_ name: String, in directory: TemporaryDirectory, _ tags: String...) throws -> FilePath {
    let file = WaveFile.bytes(samples, rate: Self.rate, channels: 2, depth: .bits16)
    let wave = try directory.write(file, to: name + ".source")
    let path = directory[name]
    try Tool.run("flac", ["-sf0", "-o", path.string] + tags.flatMap { ["-T", $0] } + [wave.string])
    try FileManager.default.removeItem(atPath: wave.string)
    return path
  }

  /// Returns `samples` amplified by `decibels`.
  static func amplified(_ samples: [Int32], decibels: Double) -> [Int32] {
    samples.map { Int32((Double($0) * pow(10, decibels / 20)).rounded()) }
  }

  /// Returns an equal-power crossfade of `frames` frames from `first` to `second`.
  static func crossfaded(_ first: [Int32], _ second: [Int32], frames: Int) -> [Int32] {
    let mixed = zip(first.suffix(2 * frames), second.prefix(2 * frames)).enumerated().map { index, pair in
      let angle = Double(index / 2) / Double(frames) * .pi / 2
      return Int32((Double(pair.0) * cos(angle) + Double(pair.1) * sin(angle)).rounded())
    }
    return first.dropLast(2 * frames) + mixed + second.dropFirst(2 * frames)
  }
}

/// Test sound in which every frame encodes its own position. No frame is near silence.
enum Ruler {
  /// Frames with consecutive positions, which were recorded unchanged.
  struct Run {
    /// The index of the first frame in the recording.
    var index: Int
    /// The position of the first frame in the sound.
    var position: Int
    var count: Int
    /// The index after the last frame in the recording. Silence within a joined run is included.
    var end: Int
    /// The position after the last frame in the sound.
    var next: Int { position + count }
  }

  private static let base = 16_384

  /// Returns a WAV file with the frames at `positions`.
  static func file(_ positions: Range<Int>, rate: Int) -> [UInt8] {
    var samples = [Int32](repeating: 0, count: 2 * positions.count)
    var index = 0
    for position in positions {
      samples[index] = Int32(base / 2 + position % base)
      samples[index + 1] = -Int32(base / 2 + position / base)
      index += 2
    }
    return WaveFile.bytes(samples, rate: rate, channels: 2, depth: .bits16)
  }

  /// Returns the position that `frame` encodes; `nil` for silence and most faded frames.
  static func position(of frame: (left: Int16, right: Int16)) -> Int? {
    let low = Int(frame.left) - base / 2
    let high = -Int(frame.right) - base / 2
    return (0..<base).contains(low) && high >= 0 ? high * base + low : nil
  }

  /// Returns the runs in `frames`, without faded sound.
  static func runs(_ frames: [(left: Int16, right: Int16)]) -> [Run] {
    var runs: [Run] = []
    for (index, frame) in frames.enumerated() {
      guard let position = position(of: frame) else { continue }
      if let last = runs.last, last.end == index, last.next == position {
        runs[runs.count - 1].count += 1
        runs[runs.count - 1].end += 1
      } else {
        runs.append(Run(index: index, position: position, count: 1, end: index + 1))
      }
    }
    // Faded frames do not form runs of this length.
    return runs.filter { $0.count > 32 }
  }

  /// Returns `runs`, with each run merged into the one before it if it starts at the very next position.
  static func joined(_ runs: [Run]) -> [Run] {
    runs.reduce(into: []) { joined, run in
      if let last = joined.last, last.next == run.position {
        joined[joined.count - 1].count += run.count
        joined[joined.count - 1].end = run.end
      } else {
        joined.append(run)
      }
    }
  }
}
