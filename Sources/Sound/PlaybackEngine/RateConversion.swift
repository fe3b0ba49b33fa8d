import AudioCore

/// From one sample rate to another, in Hz.
struct RateConversion: Equatable {
  let from: Int
  let to: Int

  /// The other way round.
  var reversed: RateConversion { RateConversion(from: to, to: from) }

  /// How many frames have to pass until a frame of either rate falls on one of the other again.
  var period: Int {
    var (divisor, rest) = (from, to)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return from / divisor
  }

  /// How many frames last as long as `frames` did, rounded.
  func frames(_ frames: Int64) -> Int64 {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: Int64(from))
    return whole * Int64(to) + (2 * rest * Int64(to) + Int64(from)) / (2 * Int64(from))
  }

  /// All of `frames` as a stream of its own; `nil` where there is no memory.
  func convert(_ frames: ArraySlice<Float>, channels: Int, resamplers: ResamplerFactory) -> ArraySlice<Float>? {
    guard from != to else { return frames }
    guard let resampler = resamplers(from, to, channels) else { return nil }
    let due = Int(self.frames(Int64(frames.count / channels))) * channels
    return unsafe [Float](unsafeUninitializedCapacity: due) { buffer, filled in
      var offered = frames.map { $0.isSound ? $0 : 0 }[...]
      while filled < due {
        let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled..<due])
        let (taken, put) =
          unsafe offered.isEmpty
          ? (0, resampler.finish(into: room))
          : offered.withUnsafeBufferPointer { unsafe resampler.process($0, into: room) }
        if taken == 0, put == 0 { break }
        offered = offered.dropFirst(taken * channels)
        filled += put * channels
      }
    }[...]
  }
}
