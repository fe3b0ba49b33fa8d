// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule
import Platform
import Synchronization

/// The state that the threads of an engine share.
final class EngineContext: Sendable {
  /// The greatest number of earlier sources to remember: more than the ring has blocks.
  static let followedLimit = 64

  /// The engine's settings.
  let settings: EngineSettings
  /// The clock of all threads.
  let clock: any MonotonicClock
  /// The present decoder pipeline.
  let line: Mutex<DecoderPipeline>
  /// The number of ``line``, so that the render thread can detect a replacement without a lock.
  let lineNumber: Atomic<UInt64>
  /// The target state of the render thread.
  let target = Atomic(RenderTarget.close)
  /// The oldest valid generation; blocks of older ones are dropped.
  let oldestGeneration = Atomic<UInt64>(0)
  /// The last sources whose next track was set; that track may have been decoded by now. Not for the hot path.
  let followed = Mutex<Deque<PlaybackSource.ID>>([])
  /// Holds back the render thread after a source whose next track has changed; the decode thread releases it.
  let hold = NextTrackGate()
  /// The gain of the volume.
  let gain = Atomic(GainTarget(gain: 1, milliseconds: GainTarget.fadeMilliseconds))
  /// The greatest length of crossfades to expect, in milliseconds.
  let crossfadeMilliseconds = Atomic<Int>(0)
  /// Whether the output is real-time. The render loop sets it.
  let outputKeepsTime = Atomic(true)
  /// Whether the render thread sleeps until there is something to do.
  let isStarving = Atomic(false)
  /// The number of underruns: how often a device ran out of audio during playback.
  let underrunCount = Atomic<Int>(0)
  /// The number of abandoned render threads that are still stuck in their outputs.
  let stuckOutputs = Atomic<Int>(0)
  /// The position of the render thread.
  let board = PositionPublisher()
  /// The levels of what the render thread writes.
  let levels = LevelMeter()
  /// Reports of the render thread's hot path.
  let reports = ReportRing<RenderReport>(capacity: 256)
  /// Messages from the render thread about opening or losing an output. For each, a report of kind `news` goes through
  /// ``reports``, so that the order is preserved.
  let news: Mailbox<Transport.Input>
  /// Commands for the engine, and messages from the decode thread.
  let inputs: Mailbox<Transport.Input>
  /// The receiver of events. Not for the render thread.
  let receiver = Mutex(EventReceiver { _, _ in })
  /// The state of the device. Not for the hot path.
  let device = Mutex(DeviceState())
  /// The signal that wakes the render thread.
  let renderSignal = ThreadSignal()
  /// The signal that wakes the control thread.
  let controlSignal: ThreadSignal

  init(
    settings: EngineSettings, clock: any MonotonicClock, controlSignal: ThreadSignal, inputs: Mailbox<Transport.Input>
  ) {
    self.settings = settings
    self.clock = clock
    self.controlSignal = controlSignal
    self.inputs = inputs
    news = Mailbox(waking: controlSignal)
    line = Mutex(DecoderPipeline(number: 1, clock: clock))
    lineNumber = Atomic(1)
  }
}

/// The receiver of the engine's events.
///
/// A struct, because a closure that is itself the value of a `Mutex` gets two more layers around it at every access.
struct EventReceiver: Sendable {
  let receive: @Sendable (EngineEvent, PlaybackSource.ID?) -> Void
}

/// The present render loop.
final class RendererSlot: Sendable {
  private let present: Mutex<RenderLoop>

  /// Creates a slot with `loop`.
  init(_ loop: RenderLoop) { present = Mutex(loop) }

  /// The present render loop. Not for the render thread.
  var loop: RenderLoop { present.withLock { $0 } }

  /// Replaces the render loop by `loop`.
  func replace(_ loop: RenderLoop) { present.withLock { $0 = loop } }
}

/// A queue of messages for one thread, which it wakes. Not for the render loop, because it takes a lock.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex(Deque<Message>())
  private let signal: ThreadSignal

  /// Creates a mailbox whose owner is woken by `signal`.
  init(waking signal: ThreadSignal) { self.signal = signal }

  /// Adds a message and wakes the owner. From any thread.
  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    signal.wake()
  }

  /// Whether the mailbox is empty. Owner only: others may add a message meanwhile.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Whether the mailbox contains a matching message. Owner only.
  func contains(where isSuch: (Message) -> Bool) -> Bool { messages.withLock { $0.contains(where: isSuch) } }

  /// Removes and returns the oldest message, if there is one. Owner only.
  func take() -> Message? {
    messages.withLock { $0.popFirst() }
  }
}
