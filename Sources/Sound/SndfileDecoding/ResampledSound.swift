import AudioCore

/// A stream whose frames are converted to another sample rate, continuously.
final class ResampledSound: OpenSound {
  /// How many of the stream's frames go through the resampler ahead of a seek's place: more than its filter is long.
  private static let leadIn: Int64 = 8192
  /// The most of the stream's frames that are read at once.
  private static let blockFrames = 4096

  let sampleRate: Int
  let frameCount: Int64?
  private let original: any OpenSound
  private let resamplers: ResamplerFactory
  private var resampler: any Resampler
  private var input: [Float] = []
  private var pending: Range<Int> = 0..<0
  private var isAtEnd = false

  /// `original` at `sampleRate`, in Hz; `nil` where there is no resampler between the two rates.
  init?(_ original: any OpenSound, sampleRate: Int, resamplers: @escaping ResamplerFactory) {
    guard original.sampleRate > 0, let resampler = resamplers(original.sampleRate, sampleRate, original.channels)
    else { return nil }
    self.original = original
    self.sampleRate = sampleRate
    self.resamplers = resamplers
    self.resampler = resampler
    frameCount = original.frameCount.flatMap {
      Int64(exactly: (Double($0) * Double(sampleRate) / Double(original.sampleRate)).rounded())
    }
  }

  var file: RegularFile { original.file }
  var channels: Int { original.channels }
  var coding: SampleCoding { original.coding }
  var bitRate: Int? { original.bitRate }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while true {
      if pending.isEmpty, !isAtEnd { readBlock() }
      if isAtEnd, pending.isEmpty { return unsafe resampler.finish(into: buffer) }
      let (taken, put) = unsafe input.withUnsafeBufferPointer {
        unsafe resampler.process(UnsafeBufferPointer(rebasing: $0[pending]), into: buffer)
      }
      pending = (pending.lowerBound + taken * channels)..<pending.upperBound
      if put > 0 { return put }
      if taken == 0 { return 0 }
    }
  }

  private func readBlock() {
    let capacity = Self.blockFrames * channels
    if input.count < capacity { input = [Float](repeating: 0, count: capacity) }
    let count = unsafe input.withUnsafeMutableBufferPointer { unsafe original.read(into: $0) }
    isAtEnd = count <= 0
    pending = 0..<max(0, count * channels)
  }

  func seek(toFrame frame: Int64) -> Bool {
    let (from, to) = (Int64(original.sampleRate), Int64(sampleRate))
    // Where a frame of one rate falls on one of the other: every so many seconds' worth of both rates.
    let second = frame / to
    let (place, overflow) = second.multipliedReportingOverflow(by: from)
    guard frame >= 0, !overflow else { return false }
    let inSecond = (frame - second * to) * from / to
    let ahead = min(place, inSecond >= Self.leadIn ? 0 : from)
    guard original.seek(toFrame: place - ahead),
      let resampler = resamplers(original.sampleRate, sampleRate, channels)
    else { return false }
    self.resampler = resampler
    pending = 0..<0
    isAtEnd = false
    return skip(frame - second * to + (ahead > 0 ? to : 0))
  }

  /// Reads and drops so many frames; `false` where there are not so many.
  private func skip(_ frames: Int64) -> Bool {
    var rest = frames
    var dropped = [Float](repeating: 0, count: Self.blockFrames * channels)
    while rest > 0 {
      let samples = Int(min(rest, Int64(Self.blockFrames))) * channels
      let count = unsafe dropped.withUnsafeMutableBufferPointer {
        unsafe read(into: UnsafeMutableBufferPointer(rebasing: $0[..<samples]))
      }
      guard count > 0 else { return false }
      rest -= Int64(count)
    }
    return true
  }

  func fault(at position: Int64) -> EndFault? {
    let place = (Double(position) * Double(original.sampleRate) / Double(sampleRate)).rounded()
    return original.fault(at: Int64(exactly: place) ?? .max)
  }
}
