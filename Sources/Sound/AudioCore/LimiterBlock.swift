/// A few frames that a limiter makes softer: one thing at a time for all of them, since each is a loop that needs few
/// registers.
@safe
struct LimiterBlock {
  let frames: Int
  let ceiling: Float
  /// Room for a number for each frame.
  let factors: UnsafeMutablePointer<Float>

  init(frames: Int, ceiling: Float, factors: UnsafeMutablePointer<Float>) {
    self.frames = frames
    self.ceiling = ceiling
    unsafe self.factors = unsafe factors
  }

  /// Puts the frames that are held into `target`, if any, and holds those of `source`, or silence, in their places.
  @inline(__always)
  func limit(
    _ source: UnsafePointer<Float>?, held: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>?,
    channels: Int, _ gain: inout LimiterGain
  ) {
    let samples = frames &* channels
    if let source = unsafe source {
      unsafe findPeaks(source, channels: channels)
    } else {
      unsafe factors.update(repeating: 0, count: frames)
    }
    unsafe gain.replacePeaks(factors, count: frames, ceiling: ceiling)
    if let target = unsafe target { unsafe apply(held, into: target, channels: channels) }
    for sample in 0..<samples {
      let new = unsafe source.map { unsafe $0[sample] } ?? 0
      unsafe held[sample] = new.magnitude == .infinity ? 0 : new
    }
  }

  @inline(__always)
  private func findPeaks(_ source: UnsafePointer<Float>, channels: Int) {
    for frame in 0..<frames {
      var peak: Float = 0
      for channel in 0..<channels {
        let magnitude = unsafe source[frame &* channels &+ channel].magnitude
        // Neither NaN nor infinite.
        let counted = magnitude <= .greatestFiniteMagnitude ? magnitude : 0
        peak = counted > peak ? counted : peak
      }
      unsafe factors[frame] = peak
    }
  }

  @inline(__always)
  private func apply(_ held: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, channels: Int) {
    for frame in 0..<frames {
      let factor = unsafe factors[frame]
      for sample in (frame &* channels)..<(frame &* channels &+ channels) {
        // The factor is rounded; what that lets above the ceiling is its last bit.
        let softer = unsafe held[sample] * factor
        let notAbove = ceiling < softer ? ceiling : softer
        unsafe target[sample] = notAbove < -ceiling ? -ceiling : notAbove
      }
    }
  }
}
