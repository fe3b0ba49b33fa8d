// SPDX-License-Identifier: GPL-3.0-or-later

/// The format of decoded audio: interleaved 32-bit float samples, where full scale is -1.0 to 1.0; or DSD, see
/// ``DirectStreamDigital``.
public struct AudioFormat: Sendable, Hashable, BitwiseCopyable {
  /// The sample rates that Segue plays, in Hz.
  public static let sampleRates = 1...768_000
  /// The sample rates that can be requested of an output, in Hz: those that devices support.
  public static let outputRates = 8_000...768_000
  /// The numbers of channels that Segue plays.
  public static let channelCounts = 1...8

  /// The sample rate, in Hz; in ``sampleRates``.
  public let sampleRate: Int
  /// The number of samples in a frame; in ``channelCounts``.
  public let channels: Int
  /// How the source encodes its samples.
  public let coding: SampleCoding

  /// The smallest depth that represents the samples without loss; `nil` if the source has no depth (a lossy coding).
  ///
  /// 24 bits for a source with more bits or with floating-point samples: float samples carry no more.
  public var sourceDepth: SampleDepth? { coding.depth }

  /// Whether the samples are DSD rather than PCM: nothing can be done with them but to play them unchanged.
  public var isDSD: Bool { coding == .dsd }

  /// Creates a format; returns `nil` if a number is out of its range.
  public init?(sampleRate: Int, channels: Int, coding: SampleCoding) {
    guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channels) else { return nil }
    self.sampleRate = sampleRate
    self.channels = channels
    self.coding = coding
  }

  /// Returns the duration of `frames` frames, exact to the attosecond.
  public func duration(ofFrames frames: Int64) -> Duration {
    let rate = Int64(sampleRate)
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
    // Integer arithmetic, which cannot overflow here: dividing a `Duration` generically would run through half a
    // mebibyte of code every second.
    let (whole, part) = (1_000_000_000_000_000_000 as Int64).quotientAndRemainder(dividingBy: rate)
    return Duration(secondsComponent: seconds, attosecondsComponent: rest * whole + rest * part / rate)
  }

  /// Returns the time of a frame for a message, such as "1:23", or "1:23 of 4:05" if `frameCount` is known.
  public func positionText(_ frame: Int64, of frameCount: Int64? = nil) -> String {
    Self.clockTime(duration(ofFrames: frame))
      + (frameCount.map { " of \(Self.clockTime(duration(ofFrames: $0)))" } ?? "")
  }

  /// Returns a time in minutes and seconds, with hours if there are any.
  public static func clockTime(_ time: Duration) -> String {
    let seconds = time.components.seconds
    let twoDigits = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
    guard seconds >= 3600 else { return "\(seconds / 60):\(twoDigits(seconds % 60))" }
    return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
  }

  /// Returns the number of the frame nearest to `duration` after frame 0: 0 if `duration` is negative, `Int64.max` if
  /// it is too long.
  public func frame(at duration: Duration) -> Int64 {
    guard duration > .zero else { return 0 }
    guard duration < .seconds(Int64.max) else { return .max }
    let (seconds, attoseconds) = duration.components
    let (frames, productOverflows) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
    let rest = (Double(attoseconds) / 1e18 * Double(sampleRate)).rounded()
    let (sum, sumOverflows) = frames.addingReportingOverflow(Int64(rest))
    return productOverflows || sumOverflows ? .max : sum
  }
}

/// The format of the samples that an output accepts: interleaved integers.
public struct DeviceFormat: Sendable, Hashable, BitwiseCopyable {
  /// The sample rate, in Hz.
  public let sampleRate: Int
  /// The number of samples in a frame.
  public let channels: Int
  public let depth: SampleDepth
  /// Whether the samples are DSD, 16 bits in each; see ``DirectStreamDigital``.
  public let isDSD: Bool

  public init(sampleRate: Int, channels: Int, depth: SampleDepth, isDSD: Bool = false) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.depth = depth
    self.isDSD = isDSD
  }

  /// Creates the format that represents `format` without loss; 16 bits for a source that has no depth of its own.
  public init(for format: AudioFormat) {
    self.init(
      sampleRate: format.sampleRate, channels: format.channels, depth: format.sourceDepth ?? .bits16,
      isDSD: format.isDSD)
  }

  /// The number of bytes in a frame.
  public var frameByteCount: Int { channels * depth.byteCount }

  /// The maximum number of frames in the buffer of a `RewindableOutput`: the engine keeps no more.
  public var rewindableFrameLimit: Int { 384_000 / max(1, channels) }

  /// Whether an output in this format plays audio of `format` without loss.
  public func carries(_ format: AudioFormat) -> Bool {
    sampleRate == format.sampleRate && channels == format.channels && isDSD == format.isDSD
      && depth >= format.sourceDepth ?? depth
  }
}

/// How a source encodes its samples.
public enum SampleCoding: Sendable, Hashable, BitwiseCopyable {
  case integer(bits: Int)
  /// Floating-point numbers with this many bits.
  case float(bits: Int)
  /// A lossy coding: the decoded samples differ from those that were encoded.
  case lossy
  /// DSD: samples of one bit, which are passed on as they are; see ``DirectStreamDigital``.
  case dsd

  /// The maximum number of bits of an integer that a float sample can represent exactly.
  public static let carriedBits = SampleDepth.bits24.rawValue

  /// The number of bits in a sample; `nil` for a lossy coding.
  public var bits: Int? {
    switch self {
    case .integer(let bits), .float(let bits): bits
    case .lossy: nil
    case .dsd: 1
    }
  }

  /// Whether samples are floating-point numbers.
  public var isFloat: Bool {
    switch self {
    case .float: true
    case .integer, .lossy, .dsd: false
    }
  }

  /// The smallest depth that represents all of this coding that a float sample can hold; `nil` for a lossy coding.
  public var depth: SampleDepth? {
    switch self {
    case .integer(let bits): bits <= SampleDepth.bits16.rawValue ? .bits16 : .bits24
    case .float: .bits24
    case .lossy: nil
    case .dsd: .bits16
    }
  }
}

/// The number of bits in an integer sample: signed, little-endian, packed.
public enum SampleDepth: Int, Sendable, Hashable, Comparable, CaseIterable, BitwiseCopyable {
  case bits16 = 16
  /// 24 bits, in three bytes.
  case bits24 = 24
  case bits32 = 32

  /// The number of bytes in a sample.
  public var byteCount: Int { rawValue / 8 }

  /// Orders depths by their number of bits.
  public static func < (left: SampleDepth, right: SampleDepth) -> Bool { left.rawValue < right.rawValue }
}

/// A speaker for which a channel is meant.
public enum Speaker: Sendable, Hashable, BitwiseCopyable {
  case mono, frontLeft, frontRight, frontCentre, lowFrequency, rearLeft, rearRight, rearCentre, sideLeft, sideRight

  /// Returns the speakers of frames with this number of channels, in the order of WAVE (and of FLAC, RFC 9639, section
  /// 9.1.3); none if the number is not in `AudioFormat.channelCounts`.
  public static func speakers(channels: Int) -> [Speaker] {
    let front: [Speaker] = [.frontLeft, .frontRight]
    let rear: [Speaker] = [.rearLeft, .rearRight]
    let side: [Speaker] = [.sideLeft, .sideRight]
    switch channels {
    case 1: return [.mono]
    case 2: return front
    case 3: return front + [.frontCentre]
    case 4: return front + rear
    case 5: return front + [.frontCentre] + rear
    case 6: return front + [.frontCentre, .lowFrequency] + rear
    case 7: return front + [.frontCentre, .lowFrequency, .rearCentre] + side
    case 8: return front + [.frontCentre, .lowFrequency] + rear + side
    default: return []
    }
  }
}

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
