import AudioCore
import Foundation
import SystemPackage
import TestSupport

/// Noise of 16 bits in stereo, as samples and in files.
struct Noise {
  static let rate = 44_100

  /// The samples, the channels in turn.
  let samples: [Int32]

  /// Noise that `seed` stands for.
  init(seed: UInt64, frames: Int, peak: Int32 = 16_000) {
    var random = SeededGenerator(seed: seed)
    // The first frame is no silence: what is heard is found by it.
    samples = [peak, peak] + (2..<2 * frames).map { _ in Int32.random(in: -peak...peak, using: &random) }
  }

  var frameCount: Int { samples.count / 2 }

  /// Writes it as FLAC with these tags ("ALBUM=x").
  @discardableResult
  func write(_ name: String, in directory: TemporaryDirectory, _ tags: String...) throws -> FilePath {
    let file = WaveFile.bytes(samples, rate: Self.rate, channels: 2, depth: .bits16)
    let wave = try directory.write(file, to: name + ".source")
    let path = directory[name]
    try Tool.run("flac", ["-sf0", "-o", path.string] + tags.flatMap { ["-T", $0] } + [wave.string])
    try FileManager.default.removeItem(atPath: wave.string)
    return path
  }

  /// `samples` by so many decibels louder.
  static func gained(_ samples: [Int32], decibels: Double) -> [Int32] {
    samples.map { Int32((Double($0) * pow(10, decibels / 20)).rounded()) }
  }

  /// The end of `first` faded into the beginning of `second` over `frames` frames with equal power.
  static func crossfaded(_ first: [Int32], _ second: [Int32], frames: Int) -> [Int32] {
    let mixed = zip(first.suffix(2 * frames), second.prefix(2 * frames)).enumerated().map { index, pair in
      let angle = Double(index / 2) / Double(frames) * .pi / 2
      return Int32((Double(pair.0) * cos(angle) + Double(pair.1) * sin(angle)).rounded())
    }
    return first.dropLast(2 * frames) + mixed + second.dropFirst(2 * frames)
  }
}
