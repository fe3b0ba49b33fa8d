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
