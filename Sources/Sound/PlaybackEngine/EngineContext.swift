// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule
import Platform
import Synchronization

/// The state that the threads of an engine share.
final class EngineContext: Sendable {
  /// The maximum number of earlier sources to remember: more than the ring has blocks.
  static let earlierSourceLimit = 64

  let settings: EngineSettings
  /// The clock of all threads.
  let clock: any MonotonicClock
  let pipeline: Mutex<DecoderPipeline>
  /// The sequence number of ``pipeline``, so that the render thread can detect a replacement without a lock.
  let pipelineNumber: Atomic<UInt64>
  /// The target state of the render thread.
  let target = Atomic(RenderTarget.close)
  /// The oldest generation that is valid; blocks of older ones are dropped.
  let oldestGeneration = Atomic<UInt64>(0)
  /// The sources whose next track was set most recently; that track may have been decoded by now. Must not be used in
  /// the hot path.
  let sourcesWithNext = Mutex<Deque<PlaybackSource.ID>>([])
  /// Stops the render thread after a source whose next track has changed, until the decode thread has handled the
  /// change.
  let nextTrackGate = NextTrackGate()
  /// The volume that the user has set, as the bits of a gain, for an output that applies it.
  let volume = Atomic<UInt32>(Float(1).bitPattern)
  /// The gain of the samples: the volume, or a fade.
  let gain = Atomic(GainTarget(gain: 1, milliseconds: GainTarget.fadeMilliseconds))
  /// What the equaliser is to do.
  let equaliser = Mutex(EqualiserTarget())
  /// The number of ``equaliser``, so that the render thread sees without a lock that it has changed.
  let equaliserNumber = Atomic<UInt64>(0)
  /// Whether the filters of the equaliser change samples.
  let isEqualised = Atomic(false)
  /// Whether stereo has a crossfeed.
  let hasCrossfeed = Atomic(false)
  /// The maximum length of crossfades to expect, in milliseconds.
  let crossfadeMilliseconds = Atomic<Int>(0)
  /// Whether the output is real-time. Set by the render loop.
  let isOutputRealTime = Atomic(true)
  /// Whether the device plays nothing for now. Set by the render loop.
  let isOutputSuspended = Atomic(false)
  /// Whether the render thread is sleeping until there is something to do.
  let isStarving = Atomic(false)
  /// Whether the render thread has to close the output, so that the next frames open one again.
  let mustReopen = Atomic(false)
  /// The number of underruns: how often a device ran out of audio during playback.
  let underrunCount = Atomic<Int>(0)
  /// The number of abandoned render threads that are still stuck in their outputs.
  let stuckOutputs = Atomic<Int>(0)
  /// Publishes the playback position from the render thread.
  let positionPublisher = PositionPublisher()
  /// The audio that the render thread has written last.
  let history = SampleHistory()
  /// The reports from the render thread's hot path.
  let reports = ReportRing<RenderReport>(capacity: 256)
  /// Whether the render thread has reports for which ``reports`` had no room.
  let hasMoreReports = Atomic(false)
  /// Messages from the render thread about opening or losing an output. For each of them, a report of kind `message` is
  /// sent through ``reports``, so that the order is preserved.
  let outputMessages: Mailbox<Transport.Input>
  /// Commands for the engine, and messages from the decode thread.
  let inputs: Mailbox<Transport.Input>
  /// The receiver of the engine's events. Must not be used by the render thread.
  let eventReceiver = Mutex(EventReceiver { _, _ in })
  /// The state of the device. Must not be used in the hot path.
  let device = Mutex(DeviceState())
  /// Returns whether the volume that the user has set, and the equaliser, leave samples of this many channels
  /// unchanged.
  func leavesSamples(channels: Int) -> Bool {
    volume.load(ordering: .relaxed) == Float(1).bitPattern && !isEqualised.load(ordering: .relaxed)
      && !(channels == 2 && hasCrossfeed.load(ordering: .relaxed))
  }

  /// Returns whether DSD of a shape can be played as it is: the device has not refused it, and neither a volume nor the
  /// equaliser need be applied. Must not be used in the hot path.
  func playsDSD(_ shape: StreamShape) -> Bool {
    leavesSamples(channels: shape.channels) && device.withLock { !$0.refusedDSD.contains(shape) }
  }

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
    outputMessages = Mailbox(waking: controlSignal)
    pipeline = Mutex(DecoderPipeline(number: 1, clock: clock))
    pipelineNumber = Atomic(1)
  }
}

/// The receiver of the engine's events.
///
/// It is a struct, because a closure that is itself the value of a `Mutex` gets two more layers around it at every
/// access.
struct EventReceiver: Sendable {
  let receive: @Sendable (EngineEvent, ExecutedCommands) -> Void
}

final class RendererSlot: Sendable {
  private let present: Mutex<RenderLoop>

  init(_ loop: RenderLoop) { present = Mutex(loop) }

  /// The current render loop. Must not be used by the render thread.
  var loop: RenderLoop { present.withLock { $0 } }

  func replace(_ loop: RenderLoop) { present.withLock { $0 = loop } }
}

/// A queue of messages for one thread, its owner, which it wakes. Must not be used by the render loop, because it takes
/// a lock.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex(Deque<Message>())
  private let signal: ThreadSignal

  /// Creates a mailbox whose owner `signal` wakes.
  init(waking signal: ThreadSignal) { self.signal = signal }

  /// Adds a message and wakes the owner. Can be called from any thread.
  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    signal.wake()
  }

  /// Whether the mailbox is empty. Only meaningful to the owner: others may add a message meanwhile.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Whether the mailbox contains a message that satisfies the predicate. Only the owner may call it.
  func contains(where predicate: (Message) -> Bool) -> Bool { messages.withLock { $0.contains(where: predicate) } }

  /// Removes and returns the oldest message; returns `nil` if there is none. Only the owner may call it.
  func popFirst() -> Message? {
    messages.withLock { $0.popFirst() }
  }
}
