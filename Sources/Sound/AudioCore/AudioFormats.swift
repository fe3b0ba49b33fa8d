/// The format of decoded sound: interleaved 32-bit float samples, where full scale is -1.0 to 1.0.
public struct AudioFormat: Sendable, Hashable, BitwiseCopyable {
  /// The rates that Segue plays, in Hz.
  public static let sampleRates = 1...768_000
  /// The rates that an output can be asked for, in Hz: those of devices.
  public static let outputRates = 8_000...768_000
  /// The numbers of channels that Segue plays.
  public static let channelCounts = 1...8

  /// Frames a second, in Hz; one of ``sampleRates``.
  public let sampleRate: Int
  /// Samples in a frame; one of ``channelCounts``.
  public let channels: Int
  /// How the source keeps its samples.
  public let coding: SampleCoding

  /// The least depth that takes the samples without loss, or `nil` where the source has no depth (lossy codings).
  ///
  /// 24 bits for a source of more, or of floating-point numbers: the samples here carry no more.
  public var sourceDepth: SampleDepth? { coding.depth }

  /// A format of these numbers, or `nil` where one is out of its range.
  public init?(sampleRate: Int, channels: Int, coding: SampleCoding) {
    guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channels) else { return nil }
    self.sampleRate = sampleRate
    self.channels = channels
    self.coding = coding
  }

  /// How long `frames` frames last; exact to the attosecond.
  public func duration(ofFrames frames: Int64) -> Duration {
    let rate = Int64(sampleRate)
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
    // Integers that cannot overflow: the same with durations is generic, and takes half a mebibyte of code each second.
    let (whole, part) = (1_000_000_000_000_000_000 as Int64).quotientAndRemainder(dividingBy: rate)
    return Duration(secondsComponent: seconds, attosecondsComponent: rest * whole + rest * part / rate)
  }

  /// The frame that is nearest to `duration` after frame 0; 0 where negative, the greatest number where it is beyond
  /// it.
  public func frame(at duration: Duration) -> Int64 {
    guard duration > .zero else { return 0 }
    guard duration < .seconds(Int64.max) else { return .max }
    let (seconds, attoseconds) = duration.components
    let (frames, overflow) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
    let rest = (Double(attoseconds) / 1e18 * Double(sampleRate)).rounded()
    let (sum, overflows) = frames.addingReportingOverflow(Int64(rest))
    return overflow || overflows ? .max : sum
  }
}

/// The format in which an output takes sound: interleaved integer samples.
public struct DeviceFormat: Sendable, Hashable, BitwiseCopyable {
  /// Frames a second, in Hz.
  public let sampleRate: Int
  /// Samples in a frame.
  public let channels: Int
  /// The depth of a sample.
  public let depth: SampleDepth

  /// A format of these numbers.
  public init(sampleRate: Int, channels: Int, depth: SampleDepth) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.depth = depth
  }

  /// The format that takes `format` without loss; 16 bits for sound that has no depth of its own.
  public init(for format: AudioFormat) {
    self.init(
      sampleRate: format.sampleRate, channels: format.channels, depth: format.sourceDepth ?? .bits16)
  }

  /// Bytes a frame.
  public var frameByteCount: Int { channels * depth.byteCount }

  /// Whether an output open in this format takes `format` without loss.
  public func carries(_ format: AudioFormat) -> Bool {
    sampleRate == format.sampleRate && channels == format.channels && depth >= format.sourceDepth ?? depth
  }
}

/// How a source keeps its samples.
public enum SampleCoding: Sendable, Hashable, BitwiseCopyable {
  /// As integers of so many bits.
  case integer(bits: Int)
  /// As floating-point numbers of so many bits.
  case float(bits: Int)
  /// Not at all: what is decoded only sounds like what was encoded.
  case lossy

  /// The bits of an integer that float samples carry unchanged.
  public static let carriedBits = SampleDepth.bits24.rawValue

  /// Bits a sample, or `nil` where there are none to count.
  public var bits: Int? {
    switch self {
    case .integer(let bits), .float(let bits): bits
    case .lossy: nil
    }
  }

  /// Whether samples are floating-point numbers.
  public var isFloat: Bool {
    switch self {
    case .float: true
    case .integer, .lossy: false
    }
  }

  /// The least depth that takes all that float samples carry of it, or `nil` where the coding is lossy.
  public var depth: SampleDepth? {
    switch self {
    case .integer(let bits): bits <= SampleDepth.bits16.rawValue ? .bits16 : .bits24
    case .float: .bits24
    case .lossy: nil
    }
  }
}

/// How many bits a sample has where it is an integer: signed, little-endian, packed.
public enum SampleDepth: Int, Sendable, Hashable, Comparable, CaseIterable, BitwiseCopyable {
  /// 16 bits.
  case bits16 = 16
  /// 24 bits in three bytes.
  case bits24 = 24
  /// 32 bits.
  case bits32 = 32

  /// Bytes a sample.
  public var byteCount: Int { rawValue / 8 }

  /// Fewer bits come first.
  public static func < (left: SampleDepth, right: SampleDepth) -> Bool { left.rawValue < right.rawValue }
}
