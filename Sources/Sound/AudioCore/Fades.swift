// SPDX-License-Identifier: GPL-3.0-or-later

/// A gain that moves linearly to its target over a number of frames, so that no step is audible.
public struct GainRamp: Sendable, Equatable, BitwiseCopyable {
  /// The gain factor for the next frame; at least 0.
  public private(set) var gain: Float
  /// The gain factor at the end of the ramp.
  public private(set) var target: Float
  private var step: Float = 0
  /// The number of frames until the gain reaches its target; 0 if it is constant.
  public private(set) var framesLeft = 0

  /// Creates a constant gain with the factor `gain`.
  public init(_ gain: Float) {
    self.gain = gain
    target = gain
  }

  /// Whether the gain is still changing.
  public var isMoving: Bool { framesLeft > 0 }

  /// Whether the gain is constantly 1, so that samples pass unchanged.
  public var isUnity: Bool { !isMoving && gain == 1 }

  /// Starts moving to `target` over the next `frames` frames, from the current gain; jumps to it if `frames` is 0.
  public mutating func move(to target: Float, over frames: Int) {
    self.target = target
    guard frames > 0, gain != target else {
      gain = target
      framesLeft = 0
      return
    }
    step = (target - gain) / Float(frames)
    framesLeft = frames
  }

  /// The ramp after another `frames` frames.
  public func advanced(by frames: Int) -> GainRamp {
    var ramp = self
    ramp.framesLeft = max(0, framesLeft - max(0, frames))
    if isMoving { ramp.gain = target - step * Float(ramp.framesLeft) }
    return ramp
  }

  /// Multiplies whole frames of `channels` samples by the gain, frame by frame.
  public mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
    var index = samples.startIndex
    while framesLeft > 0, index + channels <= samples.endIndex {
      for sample in index..<(index + channels) { unsafe samples[sample] *= gain }
      index += channels
      framesLeft -= 1
      // Not by repeated addition: over minutes, a step is smaller than the last bit of the gain.
      gain = target - step * Float(framesLeft)
    }
    guard gain != 1 else { return }
    while index < samples.endIndex {
      unsafe samples[index] *= gain
      index += 1
    }
  }
}

/// The gains of an equal-power crossfade: a quarter of a cosine for the outgoing track, and of a sine for the incoming
/// one. Their squares add up to 1, so that two uncorrelated signals keep their loudness.
public struct CrossfadeCurve: Sendable, Hashable, BitwiseCopyable {
  private typealias Vector = SIMD8<Float>

  /// The length of the crossfade, in frames.
  public let frames: Int

  /// The maximum length, in frames: 380 seconds at 44.1 kHz, 21 at 768 kHz. A `Float` represents every integer up to
  /// it.
  public static let longest = 1 << 24

  /// Creates a crossfade of `frames` frames, limited to 0 to ``longest``.
  public init(frames: Int) { self.frames = min(max(0, frames), Self.longest) }

  /// Returns the gain factors at frame `frame`: 1 and 0 up to frame 0, 0 and 1 from frame ``frames`` on.
  package func gains(at frame: Int) -> (outgoing: Float, incoming: Float) {
    let gains = vectors(at: max(-1, frame))
    return (gains.outgoing[0], gains.incoming[0])
  }

  /// Mixes whole frames of `outgoing` into those of `incoming`, each multiplied by its gain.
  ///
  /// The first frame of both is frame `frame` of the crossfade. The result does not depend on how a crossfade is
  /// divided into calls.
  ///
  /// - Returns: The number of frames mixed: that of the shorter buffer.
  public func mix(
    _ outgoing: UnsafeBufferPointer<Float>, into incoming: UnsafeMutableBufferPointer<Float>,
    from frame: Int, channels: Int
  ) -> Int {
    let count = min(outgoing.count, incoming.count) / channels
    guard let source = outgoing.baseAddress, let target = incoming.baseAddress else { return 0 }
    var done = 0
    while done < count {
      let gains = vectors(at: frame &+ done)
      if channels == 2, done &+ Vector.scalarCount <= count {
        unsafe Self.mixStereo(source + 2 &* done, into: target + 2 &* done, gains.outgoing, gains.incoming)
      } else {
        for lane in 0..<min(Vector.scalarCount, count &- done) {
          for sample in ((done &+ lane) &* channels)..<((done &+ lane &+ 1) &* channels) {
            unsafe target[sample] =
              target[sample] * gains.incoming[lane] + source[sample] * gains.outgoing[lane]
          }
        }
      }
      done &+= Vector.scalarCount
    }
    return count
  }

  @inline(__always)
  private static func mixStereo(
    _ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, _ outgoing: Vector,
    _ incoming: Vector
  ) {
    let outgoingSamples = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD16<Float>.self)
    let incomingSamples = unsafe UnsafeRawPointer(target).loadUnaligned(as: SIMD16<Float>.self)
    var mixed = incomingSamples
    mixed.evenHalf = incomingSamples.evenHalf * incoming + outgoingSamples.evenHalf * outgoing
    mixed.oddHalf = incomingSamples.oddHalf * incoming + outgoingSamples.oddHalf * outgoing
    unsafe UnsafeMutableRawPointer(target).storeBytes(of: mixed, as: SIMD16<Float>.self)
  }

  /// Returns the gain factors for eight frames, starting at `frame`.
  @inline(__always)
  private func vectors(at frame: Int) -> (outgoing: Vector, incoming: Vector) {
    guard frame < frames else { return (.zero, Vector(repeating: 1)) }
    let last = Float(frames)
    var positions = Vector(0, 1, 2, 3, 4, 5, 6, 7) + Float(max(-Vector.scalarCount, frame))
    positions.replace(with: 0, where: positions .< 0)
    positions.replace(with: last, where: positions .> last)
    let fractions = positions / last
    return (Self.sine(1 - fractions), Self.sine(fractions))
  }

  /// Returns the sine of an angle in quarter turns, from 0 to 1, by the Taylor series up to the eleventh power; the
  /// error is below 6e-8.
  @inline(__always)
  private static func sine(_ angles: Vector) -> Vector {
    let square = angles * angles
    var sum = square * -3.598_843_2e-6 + 1.604_411_8e-4
    sum = sum * square - 4.681_754_1e-3
    sum = sum * square + 7.969_262_6e-2
    sum = sum * square - 0.645_964_1
    sum = (sum * square + 1.570_796_3) * angles
    return sum.replacing(with: 1, where: angles .>= 1)
  }
}
