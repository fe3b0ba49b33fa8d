import AudioCore
import DequeModule
import Platform
import Synchronization

/// What the threads of an engine share.
final class EngineContext: Sendable {
  /// More sources than the ring has blocks.
  static let followedLimit = 64

  /// How formats are treated.
  let settings: EngineSettings
  /// The time, for all threads.
  let clock: any MonotonicClock
  /// What the decode thread works on at present.
  let line: Mutex<DecoderPipeline>
  /// The number of ``line``, for the render thread, which takes no lock to see that it is the old one.
  let lineNumber: Atomic<UInt64>
  /// What to do.
  let target = Atomic(RenderTarget.close)
  /// Blocks of an older generation are dropped.
  let oldestGeneration = Atomic<UInt64>(0)
  /// The last sources of which it was said what follows: it may have been decoded. Not for the hot path.
  let followed = Mutex<Deque<PlaybackSource.ID>>([])
  /// Behind which source nothing may be put out yet, because something else follows it now. The decode thread lifts it.
  let hold = NextTrackGate()
  /// The gain of the volume.
  let gain = Atomic(GainTarget(gain: 1, milliseconds: GainTarget.fadeMilliseconds))
  /// How long the crossfades are that may be asked for.
  let crossfadeMilliseconds = Atomic<Int>(0)
  /// Whether the output takes sound only as fast as it is heard. The render loop writes it.
  let outputKeepsTime = Atomic(true)
  /// Whether the render thread sleeps until there is something to do.
  let isStarving = Atomic(false)
  /// How often a device was left without sound while something played.
  let underrunCount = Atomic<Int>(0)
  /// How many render threads were given up, and are still stuck in their outputs.
  let stuckOutputs = Atomic<Int>(0)
  /// How far the render thread has come.
  let board = PositionPublisher()
  /// How loud what it puts out is.
  let levels = LevelMeter()
  /// What the render thread reports of its hot path.
  let reports = ReportRing<RenderReport>(capacity: 256)
  /// What it reports when it opens or loses an output; a report of it goes through ``reports``, so that the order is
  /// kept.
  let news: Mailbox<Transport.Input>
  /// What the engine is commanded, and what the decode thread reports.
  let inputs: Mailbox<Transport.Input>
  /// Who is told what happens. Not for the render thread.
  let receiver = Mutex(EventReceiver { _, _ in })
  /// What is known of the device. Not for the hot path.
  let device = Mutex(DeviceState())
  /// Wakes the render thread.
  let renderSignal = ThreadSignal()
  /// Wakes the thread that reads the reports.
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

/// Who is told what happens.
///
/// A closure that is itself the value of a `Mutex` gets two more layers around it at every access.
struct EventReceiver: Sendable {
  let receive: @Sendable (EngineEvent, PlaybackSource.ID?) -> Void
}

/// Which render loop works at present.
final class RendererSlot: Sendable {
  private let present: Mutex<RenderLoop>

  /// A slot that holds `loop`.
  init(_ loop: RenderLoop) { present = Mutex(loop) }

  /// The loop that works at present. Not for the render thread.
  var loop: RenderLoop { present.withLock { $0 } }

  /// Puts `loop` in its place.
  func replace(_ loop: RenderLoop) { present.withLock { $0 = loop } }
}

/// Messages for one thread, which sleeps until there are some. Not for the render loop: it takes a lock.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex(Deque<Message>())
  private let signal: ThreadSignal

  /// A mailbox whose owner is woken by `signal`.
  init(waking signal: ThreadSignal) { self.signal = signal }

  /// Adds a message and wakes the owner. From any thread.
  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    signal.wake()
  }

  /// Whether no message waits. Owner only: others may add one meanwhile.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Whether such a message waits. Owner only.
  func contains(where isSuch: (Message) -> Bool) -> Bool { messages.withLock { $0.contains(where: isSuch) } }

  /// Takes the oldest message, if there is one. Owner only.
  func take() -> Message? {
    messages.withLock { $0.popFirst() }
  }
}
