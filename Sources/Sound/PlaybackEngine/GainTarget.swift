import Synchronization

/// The gain that the render thread goes to, and over how long: one word, so that both change at once.
struct GainTarget: Sendable, Hashable, BitwiseCopyable, AtomicRepresentable {
  /// How long the fades of pause, stop, seek and volume last.
  static let fadeMilliseconds: UInt32 = 8

  /// The factor, from 0.
  let gain: Float
  /// Over how many milliseconds it is reached.
  let milliseconds: UInt32

  typealias AtomicRepresentation = UInt64.AtomicRepresentation

  static func encodeAtomicRepresentation(_ value: consuming GainTarget) -> AtomicRepresentation {
    UInt64.encodeAtomicRepresentation(UInt64(value.milliseconds) << 32 | UInt64(value.gain.bitPattern))
  }

  static func decodeAtomicRepresentation(_ representation: consuming AtomicRepresentation) -> GainTarget {
    let word = UInt64.decodeAtomicRepresentation(representation)
    return GainTarget(
      gain: Float(bitPattern: UInt32(truncatingIfNeeded: word)),
      milliseconds: UInt32(truncatingIfNeeded: word >> 32))
  }
}
