/// A gain that goes to its target in a straight line over some frames, so that no step is heard.
public struct GainRamp: Sendable, Equatable, BitwiseCopyable {
  /// The factor for the next frame, from 0.
  public private(set) var gain: Float
  /// The factor that it goes to.
  public private(set) var target: Float
  private var step: Float = 0
  /// How many frames it takes until the gain no longer changes.
  public private(set) var framesLeft = 0

  /// A gain that stays at `gain`.
  public init(_ gain: Float) {
    self.gain = gain
    target = gain
  }

  /// Whether the gain still changes.
  public var isMoving: Bool { framesLeft > 0 }

  /// Whether samples pass unchanged.
  public var isUnity: Bool { !isMoving && gain == 1 }

  /// Goes to `target` over the next `frames` frames, from wherever it is; at once where `frames` is 0.
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

  /// Multiplies whole frames of `channels` samples by the gain, frame by frame.
  public mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
    var index = samples.startIndex
    while framesLeft > 0, index + channels <= samples.endIndex {
      for sample in index..<(index + channels) { unsafe samples[sample] *= gain }
      index += channels
      framesLeft -= 1
      // Not by adding: over minutes, a step is less than the last bit of the gain.
      gain = target - step * Float(framesLeft)
    }
    guard gain != 1 else { return }
    while index < samples.endIndex {
      unsafe samples[index] *= gain
      index += 1
    }
  }
}

/// The gains of an equal-power crossfade: a quarter of a cosine for what goes, of a sine for what comes. Their squares
/// add up to 1, so that two sounds that have nothing in common keep their loudness.
public struct CrossfadeCurve: Sendable, Hashable, BitwiseCopyable {
  private typealias Vector = SIMD8<Float>

  /// How long it lasts, in frames.
  public let frames: Int

  /// The longest, in frames: a float holds every number up to it. 380 seconds at 44.1 kHz, 21 at 768 kHz.
  public static let longest = 1 << 24

  /// A crossfade over `frames` frames, or ``longest`` where that is less; none where 0 or negative.
  public init(frames: Int) { self.frames = min(max(0, frames), Self.longest) }

  /// The factors at frame `frame`: 1 and 0 at frame 0 and before, 0 and 1 at frame ``frames`` and behind.
  package func gains(at frame: Int) -> (outgoing: Float, incoming: Float) {
    let gains = vectors(at: max(-1, frame))
    return (gains.outgoing[0], gains.incoming[0])
  }

  /// Multiplies the whole frames of `incoming` by its gain and adds those of `outgoing`, multiplied by theirs; gives
  /// the number of frames, as many as both hold.
  ///
  /// The first frame of both is frame `frame` of the crossfade. However a crossfade is cut, every sample is the same.
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
    let going = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD16<Float>.self)
    let coming = unsafe UnsafeRawPointer(target).loadUnaligned(as: SIMD16<Float>.self)
    var mixed = coming
    mixed.evenHalf = coming.evenHalf * incoming + going.evenHalf * outgoing
    mixed.oddHalf = coming.oddHalf * incoming + going.oddHalf * outgoing
    unsafe UnsafeMutableRawPointer(target).storeBytes(of: mixed, as: SIMD16<Float>.self)
  }

  /// The factors at eight frames from `frame` on.
  @inline(__always)
  private func vectors(at frame: Int) -> (outgoing: Vector, incoming: Vector) {
    guard frame < frames else { return (.zero, Vector(repeating: 1)) }
    let last = Float(frames)
    var place = Vector(0, 1, 2, 3, 4, 5, 6, 7) + Float(max(-Vector.scalarCount, frame))
    place.replace(with: 0, where: place .< 0)
    place.replace(with: last, where: place .> last)
    let part = place / last
    return (Self.sine(1 - part), Self.sine(part))
  }

  /// The sine of `part` quarters of a turn, from 0 to 1: Taylor's series to the eleventh power, which is off by less
  /// than 6e-8.
  @inline(__always)
  private static func sine(_ part: Vector) -> Vector {
    let square = part * part
    var sum = square * -3.598_843_2e-6 + 1.604_411_8e-4
    sum = sum * square - 4.681_754_1e-3
    sum = sum * square + 7.969_262_6e-2
    sum = sum * square - 0.645_964_1
    sum = (sum * square + 1.570_796_3) * part
    return sum.replacing(with: 1, where: part .>= 1)
  }
}
