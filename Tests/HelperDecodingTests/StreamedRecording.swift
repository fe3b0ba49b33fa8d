// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import HelperDecoding
import Platform
import SystemPackage
import TestSupport
import Testing

/// Tests with a recording that a server on the loopback sends, and that the real program decodes.
protocol StreamedRecordingTests {
  /// The recording.
  var recording: StreamedRecording { get }
}

/// A recording on the disk.
struct StreamedRecording {
  let directory: TemporaryDirectory
  /// The recording as a FLAC file; `a.wav` in ``directory`` is the same.
  let flac: [UInt8]
  /// Its samples.
  let samples: [Float]

  /// Makes a recording of `frames` frames.
  init(frames: Int) throws {
    directory = try TemporaryDirectory()
    let samples = (0..<frames * 2).map { Int32($0 % 20_011) - 10_000 }
    let source = try directory.write(WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav")
    try Tool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", source.string, directory.file("a.flac").string])
    flac = try contents(of: directory.file("a.flac"))
    self.samples = samples.map { Float($0) / 32_768 }
  }
}

extension StreamedRecordingTests {
  /// The length of the recording, in frames.
  static var frames: Int { 200_000 }

  /// The settings of streams that lose no time, and give up soon.
  static var settings: StreamingSettings {
    var settings = StreamingSettings()
    settings.delays = [0, 10, 20, 40]
    settings.startDelays = []
    return settings
  }

  var directory: TemporaryDirectory { recording.directory }
  var flac: [UInt8] { recording.flac }
  var expected: [Float] { recording.samples }

  /// Opens what `server` sends from `path`.
  func open(
    _ server: StreamServer, _ path: String = "/a", _ settings: StreamingSettings = Self.settings
  ) throws -> any AudioDecoder {
    let program = try #require(ProgramFile.neighbour("segue-decode"))
    let address = try #require(StreamAddress(server.address(path)))
    return try DecodingHelpers(program: program, streaming: settings).open(address)
  }

  /// Opens a file on the disk with the same program.
  func openLocally(_ path: FilePath) throws -> any AudioDecoder {
    let program = try #require(ProgramFile.neighbour("segue-decode"))
    return try DecodingHelpers(program: program).open(
      path, insteadOf: DecodingError(path: path, kind: .otherDecoder, reason: ""))
  }

  /// Returns the next `limit` frames, or fewer at the end, and the texts of the stream with the frames from which on
  /// they apply.
  func read(
    _ decoder: any AudioDecoder, _ limit: Int = 1 << 30
  ) -> (samples: [Float], texts: [(frame: Int, text: SourceText)]) {
    var samples: [Float] = []
    var texts: [(frame: Int, text: SourceText)] = []
    let channels = decoder.format.channels
    var buffer = [Float](repeating: 0, count: 3_001 * channels)
    while samples.count / channels < limit {
      let room = min(buffer.count, limit * channels - samples.count)
      let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: .init(rebasing: $0[..<room])) }
      guard count > 0 else { break }
      if let text = decoder.text, text != texts.last?.text { texts.append((samples.count / channels, text)) }
      samples += buffer[..<(count * channels)]
    }
    return (samples, texts)
  }
}
