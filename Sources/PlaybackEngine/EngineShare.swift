import AudioCore
import Platform
import Synchronization

/// What the threads of an engine share.
final class EngineShare: Sendable {
  /// What the decode thread has read.
  let ring: FrameRing
  /// What to do.
  let target = Atomic(RenderTarget.close)
  /// Blocks of an older generation are dropped.
  let oldestGeneration = Atomic<UInt64>(0)
  /// The gain of the volume, as the bits of a `Float`.
  let gain = Atomic(Float(1).bitPattern)
  /// Whether the output takes sound only as fast as it is heard. The render loop writes it.
  let outputKeepsTime = Atomic(true)
  /// How far the render thread has come.
  let board = PositionBoard()
  /// What the render thread reports of its hot path.
  let reports = ReportRing<RenderReport>(capacity: 256)
  /// What it reports when it opens or loses an output; a report of it goes through ``reports``, so that the order is kept.
  let news: Mailbox<Transport.Input>
  /// What the engine is commanded, and what the decode thread reports.
  let inputs: Mailbox<Transport.Input>
  /// Who is told what happens. Not for the render thread.
  let receiver = Mutex(EventReceiver { _, _ in })
  /// Why the output failed last, until it opens again. Not for the hot path.
  let outputFailure = Mutex<OutputError?>(nil)
  /// Wakes the render thread.
  let renderSignal = ThreadSignal()
  /// Wakes the decode thread.
  let decodeSignal = ThreadSignal()
  /// Wakes the thread that reads the reports.
  let controlSignal: ThreadSignal

  init(ring: FrameRing, controlSignal: ThreadSignal, inputs: Mailbox<Transport.Input>) {
    self.ring = ring
    self.controlSignal = controlSignal
    self.inputs = inputs
    news = Mailbox(waking: controlSignal)
  }
}

/// Who is told what happens.
///
/// A closure that is itself the value of a `Mutex` gets two more layers around it at every access.
struct EventReceiver: Sendable {
  let receive: @Sendable (EngineEvent, PlaybackSource.ID?) -> Void
}
