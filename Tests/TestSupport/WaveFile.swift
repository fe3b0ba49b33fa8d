public import AudioCore

/// Makes WAV files (Multimedia Programming Interface and Data Specifications 1.0, and `WAVE_FORMAT_EXTENSIBLE`).
public enum WaveFile {
  /// A WAV file of integer `samples` of `depth`.
  public static func bytes(
    _ samples: [Int32], rate: Int, channels: Int, depth: SampleDepth
  ) -> [UInt8] {
    let width = depth.byteCount
    // Plain loops: without optimisation, a closure or an array for each sample takes ten times as long.
    var data = [UInt8](repeating: 0, count: samples.count * width)
    var index = 0
    for sample in samples {
      var rest = UInt32(bitPattern: sample)
      let end = index + width
      while index < end {
        data[index] = UInt8(rest & 0xFF)
        rest >>= 8
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
