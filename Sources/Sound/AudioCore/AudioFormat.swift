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
