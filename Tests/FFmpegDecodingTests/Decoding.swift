// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DecodingProtocol
import FFmpegDecoding
import SystemPackage
import TestSupport

/// A file that is decoded in this process.
struct Decoding {
  let decoder: any SoundFileDecoder
  private let file: OpenFile

  /// Closes the descriptor when the last reference is released.
  private final class OpenFile {
    let descriptor: FileDescriptor
    init(_ path: FilePath) throws { descriptor = try FileDescriptor.open(path, .readOnly) }
    deinit { try? descriptor.close() }
  }

  /// Opens the file at `path`.
  init(_ path: FilePath) throws {
    file = try OpenFile(path)
    decoder = try SoundFile.open(file.descriptor)
  }

  var description: SoundDescription { decoder.description }

  /// Returns the next `limit` frames, or fewer at the end, read in pieces of `piece` frames.
  func read(_ limit: Int = .max, piece: Int = 4_096) -> [Float] {
    let channels = Int(description.channels)
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: piece * channels)
    while samples.count / channels < limit {
      let room = min(piece, limit - samples.count / channels) * channels
      let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: .init(rebasing: $0[..<room])) }
      guard count > 0 else { break }
      samples += buffer[..<(count * channels)]
    }
    return samples
  }

  /// Returns all samples of the file at `path`.
  static func all(_ path: FilePath) throws -> [Float] { try Decoding(path).read() }
}

/// A recording that tests encode with the program `ffmpeg`.
struct Recording {
  let rate: Int
  let channels: Int
  let depth: SampleDepth
  let samples: [Int32]

  /// Creates a recording of `frames` frames: a few tones that change slowly, different in each channel.
  init(frames: Int, rate: Int = 44_100, channels: Int = 2, depth: SampleDepth = .bits16) {
    (self.rate, self.channels, self.depth) = (rate, channels, depth)
    let scale = Float(1 << (depth.rawValue - 1)) * 0.3
    var samples: [Int32] = []
    samples.reserveCapacity(frames * channels)
    for frame in 0..<frames {
      let time = Float(frame) / Float(rate)
      for channel in 0..<channels {
        let phase = 2 * Float.pi * time * (400 + 150 * Float(channel) + 300 * time)
        samples.append(Int32(scale * (Self.sine(phase) + Self.sine(phase * 5.7))))
      }
    }
    self.samples = samples
  }

  private init(rate: Int, channels: Int, depth: SampleDepth, samples: [Int32]) {
    (self.rate, self.channels, self.depth, self.samples) = (rate, channels, depth, samples)
  }

  /// Returns an approximation of the sine of `phase`, which is not negative.
  private static func sine(_ phase: Float) -> Float {
    let turn = (phase / (2 * .pi)).truncatingRemainder(dividingBy: 1)
    let x = turn < 0.5 ? turn * 4 - 1 : 3 - turn * 4
    return x * (1.5708 - x * x * (0.6459 - x * x * 0.0751))
  }

  /// The number of frames.
  var count: Int { samples.count / channels }

  /// The samples as floats, where full scale is 1.0.
  var floats: [Float] {
    let scale = Float(1 << (depth.rawValue - 1))
    return samples.map { Float($0) / scale }
  }

  /// Returns the part with these frames.
  func part(_ frames: Range<Int>) -> Recording {
    Recording(
      rate: rate, channels: channels, depth: depth,
      samples: Array(samples[(frames.lowerBound * channels)..<(frames.upperBound * channels)]))
  }

  /// Encodes the recording to a file named `name`, with these options of ffmpeg.
  func encoded(_ name: String, _ options: [String], in directory: TemporaryDirectory) throws -> FilePath {
    let source = try directory.write(
      WaveFile.bytes(samples, rate: rate, channels: channels, depth: depth), to: "\(name).source.wav")
    let target = directory.file(name)
    try Tool.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", source.string] + options + ["-strict", "-2", target.string])
    return target
  }

  /// Returns the number of frames by which `decoded` is late compared to this recording, or early if it is negative:
  /// the shift of up to `limit` frames at which both differ least.
  func lateness(of decoded: [Float], limit: Int = 4_000) -> Int {
    let floats = floats
    let start = count / 3
    let length = min(2_000, count / 3)
    func distance(_ shift: Int) -> Float {
      var sum: Float = 0
      for frame in start..<(start + length) {
        let index = (frame + shift) * channels
        guard decoded.indices.contains(index) else { return .infinity }
        let difference = decoded[index] - floats[frame * channels]
        sum += difference * difference
      }
      return sum
    }
    return (-limit...limit).min { distance($0) < distance($1) } ?? 0
  }
}
