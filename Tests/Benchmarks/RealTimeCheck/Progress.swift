import AudioCore
import Platform
import RealTimeHooks
import Synchronization

/// How far decoding has come, and how far the output, so that each can wait for the other: a ring that runs empty would
/// have the render thread wait.
final class Progress: Sendable {
  private let total: Int
  private let decoded = Atomic(0)
  private let thread = Atomic<UInt>(0)
  private let taken = Atomic(0)
  private let decodedSignal = ThreadSignal()
  private let takenSignal = ThreadSignal()

  /// Nothing of `sources` has been decoded.
  init(_ sources: [AudioFormat]) { total = sources.reduce(0) { $0 + Self.frameCount($1) } }

  /// How many frames a source of this format has: two seconds.
  static func frameCount(_ format: AudioFormat) -> Int { 2 * format.sampleRate }

  /// The calling thread decoded so many frames more.
  func decode(_ frames: Int) {
    thread.store(realtime_thread(), ordering: .relaxed)
    decoded.add(frames, ordering: .releasing)
    decodedSignal.wake()
  }

  /// The output took so many frames more.
  func take(_ frames: Int) {
    taken.add(frames, ordering: .releasing)
    takenSignal.wake()
  }

  /// Blocks until the output has taken all that was decoded.
  func awaitOutput() {
    while taken.load(ordering: .acquiring) < decoded.load(ordering: .relaxed) { takenSignal.wait() }
  }

  /// Whether the calling thread decodes.
  var isOnDecodingThread: Bool { thread.load(ordering: .relaxed) == realtime_thread() }

  /// Blocks until so many frames were decoded; gives `false` at once where there are not so many.
  func awaitFrames(_ count: Int) -> Bool {
    guard count <= total else { return false }
    while decoded.load(ordering: .acquiring) < count { decodedSignal.wait() }
    return true
  }
}
