// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import RealTimeHooks
import Synchronization

/// The progress of decoding and of the output. The output waits for decoding, since the render thread would wait if the
/// ring were empty; decoding can wait for the output, too.
final class Progress: Sendable {
  private let total: Int
  private let decoded = Atomic(0)
  private let decodingThread = Atomic<UInt>(0)
  private let taken = Atomic(0)
  private let decodedSignal = ThreadSignal()
  private let takenSignal = ThreadSignal()

  /// Creates the progress before any of `sources` has been decoded.
  init(_ sources: [AudioFormat]) { total = sources.reduce(0) { $0 + Self.frameCount($1) } }

  /// Returns the number of frames of a source in this format. A source lasts two seconds.
  static func frameCount(_ format: AudioFormat) -> Int { 2 * format.sampleRate }

  /// Adds frames that the calling thread has decoded.
  func addDecoded(_ frames: Int) {
    decodingThread.store(realtime_thread(), ordering: .relaxed)
    decoded.add(frames, ordering: .releasing)
    decodedSignal.wake()
  }

  /// Adds frames that the output has taken.
  func addTaken(_ frames: Int) {
    taken.add(frames, ordering: .releasing)
    takenSignal.wake()
  }

  /// Blocks until the output has taken all decoded frames.
  func awaitOutput() {
    while taken.load(ordering: .acquiring) < decoded.load(ordering: .relaxed) { takenSignal.wait() }
  }

  /// Whether the calling thread is the decode thread.
  var isOnDecodingThread: Bool { decodingThread.load(ordering: .relaxed) == realtime_thread() }

  /// Blocks until `count` frames have been decoded. Returns `false` at once if all sources together have fewer frames.
  func awaitFrames(_ count: Int) -> Bool {
    guard count <= total else { return false }
    while decoded.load(ordering: .acquiring) < count { decodedSignal.wait() }
    return true
  }
}
