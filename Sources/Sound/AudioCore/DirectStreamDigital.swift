// SPDX-License-Identifier: GPL-3.0-or-later

/// DSD (Direct Stream Digital): samples of one bit at 2.8 MHz or more, as on a Super Audio CD.
///
/// On its way through the engine, a sample of DSD audio is a 16-bit integer that consists of 16 consecutive bits, the
/// earliest of them the highest; the sample rate is a sixteenth of the rate of the bits. Such samples cannot be
/// attenuated, mixed or resampled. Where PCM fades out, DSD changes to silence at half of the fade.
public enum DirectStreamDigital {
  /// The number of bits in a sample.
  public static let bitsPerSample = 16
  /// Eight bits of silence: as many ones as zeros, in the usual pattern.
  public static let silentByte: UInt8 = 0x69
  /// A sample of silence.
  public static let silence = sample(first: silentByte, second: silentByte)
  /// The sample rates to which the name of a rate refers, in Hz: DSD64 has 64 bits for each sample of a CD.
  private static let referenceRates = [44_100, 48_000]

  /// Returns a sample that consists of the bits of two bytes, the highest bit of each first.
  public static func sample(first: UInt8, second: UInt8) -> Float {
    Float(Int16(bitPattern: UInt16(first) << 8 | UInt16(second))) / 32_768
  }

  /// Returns the name of a rate such as "DSD64"; `nil` if it has none.
  ///
  /// - Parameter bitRate: The rate of the bits of a channel, in Hz.
  public static func name(ofBitRate bitRate: Int) -> String? {
    referenceRates.first { bitRate % $0 == 0 }.map { "DSD\(bitRate / $0)" }
  }
}

extension AudioFormat {
  /// The name of the rate of DSD, such as "DSD64"; `nil` if this is not DSD, or its rate has no name.
  public var dsdName: String? {
    isDSD ? DirectStreamDigital.name(ofBitRate: sampleRate * DirectStreamDigital.bitsPerSample) : nil
  }
}

extension GainRamp {
  /// Replaces frames of DSD by silence where the gain is below a half, and moves on by their number.
  public mutating func silence(_ samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
    var index = samples.startIndex
    while index + channels <= samples.endIndex {
      if gain < 0.5 {
        for sample in index..<(index + channels) { unsafe samples[sample] = DirectStreamDigital.silence }
      }
      self = advanced(by: 1)
      index += channels
    }
  }
}
