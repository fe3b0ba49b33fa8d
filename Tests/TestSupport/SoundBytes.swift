// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Creates the bytes of small audio files.
public enum SoundBytes {
  /// Returns a FLAC file that consists only of a header and tags. Its stated duration is `seconds` at 44.1 kHz, 16
  /// bits, stereo.
  public static func flac(_ tags: [(String, String)] = [], seconds: UInt32 = 2) -> [UInt8] {
    let comments = tags.map { Array("\($0.0)=\($0.1)".utf8) }
    return flac(comments: comments, seconds: seconds)
  }

  /// Returns a FLAC file that consists only of a header and comments, which may be any bytes.
  public static func flac(comments: [[UInt8]], seconds: UInt32 = 2) -> [UInt8] {
    let frames = seconds * 44_100
    // Block and frame sizes; then 20 bits of rate, 3 of channels - 1, 5 of depth - 1, 36 of frames; then an MD5.
    var info: [UInt8] = [0x10, 0x00, 0x10, 0x00, 0, 0, 0, 0, 0, 0]
    info += [0x0A, 0xC4, 0x42, 0xF0] + big(frames)
    info += [UInt8](repeating: 0, count: 16)
    var body = little(0) + little(UInt32(comments.count))
    for comment in comments { body += little(UInt32(comment.count)) + comment }
    return Array("fLaC".utf8) + [0x00] + big(UInt32(info.count)).dropFirst() + info
      + [0x84] + big(UInt32(body.count)).dropFirst() + body
  }

  /// Returns a FLAC file that consists only of a header and a front cover.
  public static func flac(picture: [UInt8], type: String) -> [UInt8] {
    let head = flac()
    // The comments are the last block.
    let comments = Array(head.dropFirst(42))
    let body =
      big(3) + big(UInt32(type.utf8.count)) + Array(type.utf8) + big(0) + big(1) + big(1) + big(24) + big(0)
      + big(UInt32(picture.count)) + picture
    return Array(head.prefix(42)) + [comments[0] & 0x7F] + comments.dropFirst()
      + [0x86] + big(UInt32(body.count)).dropFirst() + body
  }

  /// Returns an MP3 file of four silent frames, preceded by an ID3v2.4 tag with these text frames in UTF-8.
  public static func mp3(_ frames: [(String, [UInt8])] = []) -> [UInt8] {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    return id3(frames) + [frame, frame, frame, frame].joined()
  }

  /// Returns an ID3v2.4 tag with these text frames; empty if there are none.
  public static func id3(_ frames: [(String, [UInt8])]) -> [UInt8] {
    guard !frames.isEmpty else { return [] }
    var body: [UInt8] = []
    for (name, text) in frames {
      body += Array(name.utf8) + synchsafe(text.count + 1) + [0, 0, 3] + text
    }
    return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
  }

  /// Returns an APEv2 tag with these items, as found at the end of an MP3 file.
  public static func ape(_ items: [(String, String)]) -> [UInt8] {
    let body = items.flatMap { name, value in
      little(UInt32(value.utf8.count)) + little(0) + Array("\(name)\0\(value)".utf8)
    }
    let size = UInt32(body.count + 32)
    let footer = little(2_000) + little(size) + little(UInt32(items.count)) + little(0)
    return body + Array("APETAGEX".utf8) + footer + [UInt8](repeating: 0, count: 8)
  }

  /// Returns a WAV file of one second of silence at 8 kHz, 16 bits, mono, with these RIFF INFO fields.
  public static func wav(info: [(String, [UInt8])] = []) -> [UInt8] {
    var chunks = chunk("fmt ", [1, 0, 1, 0] + little(8_000) + little(16_000) + [2, 0, 16, 0])
    chunks += chunk("data", [UInt8](repeating: 0, count: 16_000))
    if !info.isEmpty {
      chunks += chunk("LIST", Array("INFO".utf8) + info.flatMap { chunk($0.0, $0.1 + [0]) })
    }
    return chunk("RIFF", Array("WAVE".utf8) + chunks)
  }

  /// Returns an AIFF file of one second of silence at 8 kHz, 16 bits, mono, with a name and an author.
  public static func aiff(name: [UInt8], author: [UInt8]) -> [UInt8] {
    let common: [UInt8] = [0, 1] + big(8_000) + [0, 16, 0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let sound = big(0) + big(0) + [UInt8](repeating: 0, count: 16_000)
    let chunks =
      bigChunk("COMM", common) + bigChunk("NAME", name) + bigChunk("AUTH", author) + bigChunk("SSND", sound)
    return bigChunk("FORM", Array("AIFF".utf8) + chunks)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(UInt32(body.count)) + body + (body.count % 2 == 0 ? [] : [0])
  }

  private static func bigChunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(UInt32(body.count)) + body + (body.count % 2 == 0 ? [] : [0])
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func big(_ value: UInt32) -> [UInt8] { little(value).reversed() }

  private static func synchsafe(_ value: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: value >> $0) & 0x7F }
  }
}

/// Creates WAV files (Multimedia Programming Interface and Data Specifications 1.0, and `WAVE_FORMAT_EXTENSIBLE`).
public enum WaveFile {
  /// Returns a WAV file of integer `samples` with this bit depth.
  public static func bytes(
    _ samples: [Int32], rate: Int, channels: Int, depth: SampleDepth
  ) -> [UInt8] {
    let width = depth.byteCount
    // Plain loops are used because without optimisation, a closure or an array for each sample takes ten times as long.
    var data = [UInt8](repeating: 0, count: samples.count * width)
    var index = 0
    for sample in samples {
      var remainingBits = UInt32(bitPattern: sample)
      let end = index + width
      while index < end {
        data[index] = UInt8(remainingBits & 0xFF)
        remainingBits >>= 8
        index += 1
      }
    }
    var format = little(UInt16(1)) + little(UInt16(channels)) + little(UInt32(rate))
    format += little(UInt32(rate * channels * width)) + little(UInt16(channels * width))
    format += little(UInt16(depth.rawValue))
    return Array("RIFF".utf8) + little(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
      + little(UInt32(format.count)) + format + Array("data".utf8) + little(UInt32(data.count)) + data
  }

  private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
  }
}

/// Decodes and compares interleaved integer samples.
public enum PCM {
  /// Returns the samples in little-endian `bytes` with this bit depth.
  public static func samples(_ bytes: some Sequence<UInt8>, depth: SampleDepth) -> [Int32] {
    let bytes = Array(bytes)
    let width = depth.byteCount
    let unused = UInt32(32 - depth.rawValue)
    // Plain loops are used because without optimisation, a closure or a range for each sample takes ten times as long.
    var samples = [Int32](repeating: 0, count: bytes.count / width)
    var start = 0
    for number in samples.indices {
      var value: UInt32 = 0
      var index = start + width
      while index > start {
        index -= 1
        value = value << 8 | UInt32(bytes[index])
      }
      samples[number] = Int32(bitPattern: value << unused) >> Int32(unused)
      start += width
    }
    return samples
  }

  /// Returns a description of the first difference between `actual` and `expected` that exceeds `tolerance`, or of a
  /// difference in length; `nil` if there is none.
  public static func firstDifference<Sample: Numeric & Comparable>(
    _ actual: [Sample], _ expected: [Sample], channels: Int, tolerance: Sample = 0
  ) -> String? {
    let count = min(actual.count, expected.count)
    var index = 0
    while index < count {
      let (actualSample, expectedSample) = (actual[index], expected[index])
      let distance = actualSample > expectedSample ? actualSample - expectedSample : expectedSample - actualSample
      if !(distance <= tolerance) {
        return "frame \(index / channels), channel \(index % channels): \(actualSample) instead of \(expectedSample)"
      }
      index += 1
    }
    guard actual.count != expected.count else { return nil }
    return "\(actual.count / channels) frames instead of \(expected.count / channels)"
  }
}
