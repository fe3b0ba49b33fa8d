// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport

/// Reads decoders to their ends.
enum Decoded {
  /// The error thrown if a read returns more than fits into the buffer, or if the end is never reached.
  struct UnboundedReadError: Error {}

  /// Returns all samples from the decoder's position, read in pieces of `frames` frames. After each piece, `next` is
  /// called.
  static func rest(of decoder: any AudioDecoder, frames: Int = 4096, _ next: () throws -> Void = {}) throws -> [Float] {
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: frames * decoder.format.channels)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
      guard count > 0 else { return samples }
      guard count <= frames, samples.count < 1 << 24 else { throw UnboundedReadError() }
      samples += buffer[..<(count * decoder.format.channels)]
      try next()
    }
  }

  /// Returns the samples of the next `frames` frames.
  static func start(of decoder: any AudioDecoder, frames: Int) throws -> [Float] {
    var samples: [Float] = []
    while samples.count < frames * decoder.format.channels {
      let missing = frames - samples.count / decoder.format.channels
      var buffer = [Float](repeating: 0, count: min(missing, 4_096) * decoder.format.channels)
      let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
      guard count > 0 else { break }
      samples += buffer[..<(count * decoder.format.channels)]
    }
    return samples
  }

  /// Returns all samples of the file at `path`.
  static func all(_ path: FilePath, frames: Int = 4096) throws -> [Float] {
    try rest(of: SndfileDecoder(path: path), frames: frames)
  }

  /// Returns `samples` as integers of `depth`.
  static func integers(_ samples: [Float], _ depth: SampleDepth) -> [Int32] {
    let scale = Float(1 << (depth.rawValue - 1))
    return samples.map { Int32(max(-scale, min(scale - 1, ($0 * scale).rounded(.toNearestOrEven)))) }
  }
}

/// Returns a signal to encode: a different tone in each channel, with some noise.
func testSignal(_ frames: Int, channels: Int, _ depth: SampleDepth) -> [Int32] {
  var random = SeededGenerator(seed: UInt64(channels))
  let scale = Int32(1) << Int32(depth.rawValue - 1)
  return (0..<frames).flatMap { frame in
    (0..<channels).map { channel in
      let sawtooth = Int32((frame * (channel + 3)) % 200 - 100) * (scale / 400)
      return sawtooth + Int32.random(in: -scale / 100...scale / 100, using: &random)
    }
  }
}

/// Files to encode, and the output of other decoders for comparison.
enum Reference {
  /// Creates a WAV file of ``testSignal(_:channels:_:)`` with 16 bits per sample.
  static func tone(
    _ frames: Int, rate: Int = 44_100, channels: Int = 2, in directory: TemporaryDirectory, _ name: String = "in.wav"
  ) throws -> FilePath {
    try directory.write(
      WaveFile.bytes(
        testSignal(frames, channels: channels, .bits16), rate: rate, channels: channels, depth: .bits16), to: name)
  }

  /// Returns the samples that mpg123 decodes.
  static func mpg123(_ path: FilePath, _ options: [String] = []) throws -> [Float] {
    floats(try Tool.run("mpg123", ["-q", "-e", "f32", "-s"] + options + [path.string]))
  }

  /// Returns the samples that opusdec decodes, with the channels in the order of WAVE.
  static func opusdec(_ path: FilePath) throws -> [Float] {
    let directory = try TemporaryDirectory()
    let wave = directory.file("out.wav")
    try Tool.run("opusdec", ["--quiet", "--float", "--rate", "48000", path.string, wave.string])
    return try Decoded.all(wave)
  }

  /// Returns the 32-bit floating-point samples that these little-endian bytes represent.
  static func floats(_ bytes: [UInt8]) -> [Float] {
    PCM.samples(bytes, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
  }
}
