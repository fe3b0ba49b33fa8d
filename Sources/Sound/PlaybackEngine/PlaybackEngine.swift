// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Platform
import Synchronization
public import SystemPackage

/// Plays sources one after the other, without a gap.
///
/// It has three threads: a decode thread, a render thread, and a control thread that runs the `Transport`. Every member
/// may be called from any thread and returns at once; commands take effect in the order in which they are given.
/// ``EngineEvent``s are delivered in order, on the control thread, which must not be blocked. A file or device that
/// blocks delays nothing else.
public final class PlaybackEngine: Sendable {
  private let share: EngineContext
  private let threads: EngineThreads

  /// Creates an engine that is stopped.
  ///
  /// - Parameter clock: The clock for positions, timeouts and the watching of files and devices.
  /// - Throws: `Errno` if the system grants no threads.
  public init(
    settings: EngineSettings = EngineSettings(), clock: any MonotonicClock = SystemClock(),
    decoders: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory, outputs: @escaping OutputFactory
  ) throws(Errno) {
    let controlSignal = ThreadSignal()
    let inputs = Mailbox<Transport.Input>(waking: controlSignal)
    let share = EngineContext(settings: settings, clock: clock, controlSignal: controlSignal, inputs: inputs)
    self.share = share
    threads = EngineThreads(share: share, open: decoders, resamplers: resamplers, openOutput: outputs)
    try threads.startDecoder(for: share.line.withLock { $0 })
    try threads.startRenderer()
    try threads.startControl()
  }

  deinit { share.inputs.post(.quit) }

  /// Calls `receive` with every event from now on, instead of the previous receiver.
  ///
  /// `commanded` is the source of the last `play` command when the event happened. If it is no longer the last one, a
  /// stop or an end is out of date.
  public func onEvent(
    _ receive: @escaping @Sendable (_ event: EngineEvent, _ commanded: PlaybackSource.ID?) -> Void
  ) {
    share.receiver.withLock { $0 = EventReceiver(receive: receive) }
  }

  /// Plays `source` from position `place`, instead of whatever plays, and forgets the next track. With `isPaused`, it
  /// starts paused.
  public func play(_ source: PlaybackSource, at place: Duration = .zero, isPaused: Bool = false) {
    share.inputs.post(.play(source, at: place, isPaused: isPaused))
  }

  /// Sets the next track after the source `id`: `source`, or none.
  ///
  /// This answers ``EngineEvent/needsNext(after:)``; if it comes early enough, the tracks join without a gap. It may be
  /// called again, and then applies as soon as it returns, unless frames of the earlier next track have been written to
  /// the output. The source `id` plays on untouched, and what was decoded of the other track is dropped. If its end was
  /// mixed or converted together with that track, it is decoded again, and some of it may be played twice.
  public func follow(
    _ id: PlaybackSource.ID, with source: PlaybackSource?, _ transition: Transition = .gapless
  ) {
    share.followed.withLock { followed in
      let word = share.hold.nextWord()
      if followed.contains(id) {
        share.hold.hold(behind: id, until: word)
      } else {
        followed.append(id)
        if followed.count > EngineContext.followedLimit { followed.removeFirst() }
      }
      share.inputs.post(.follow(id, with: source, transition, word: word))
    }
  }

  /// Sets the greatest length of the crossfades that ``follow(_:with:_:)`` may request: this much of a source's end is
  /// held back until the next track is known.
  public func expectCrossfade(of duration: Duration) {
    let milliseconds = Int(clamping: duration.wholeMilliseconds)
    share.crossfadeMilliseconds.store(milliseconds, ordering: .relaxed)
  }

  /// Fades out and pauses. The output stays open; a device is closed after three seconds. Does nothing unless something
  /// plays.
  public func pause() { share.inputs.post(.pause) }

  /// Pauses, and closes a device at once, so that other programs can use it until playback resumes. Does nothing if
  /// stopped.
  public func release() { share.inputs.post(.release) }

  /// Resumes after a pause.
  public func resume() { share.inputs.post(.resume) }

  /// Fades out, forgets the current and next tracks, and closes the output.
  public func stop() { share.inputs.post(.stop) }

  /// Seeks in the current source: not before its beginning, and at its end on to the next track.
  public func seek(_ target: SeekTarget) { share.inputs.post(.seek(target)) }

  /// Changes the gain of source `id` from the present position on, if it is the one that plays.
  public func setGain(_ gain: SourceGain, of id: PlaybackSource.ID) { share.inputs.post(.setGain(id, gain)) }

  /// Multiplies all samples by `gain` from now on, from 0 (silence) to 1 (unchanged).
  ///
  /// The gain changes linearly over `duration`, or over the shortest time in which no step is audible.
  public func setVolume(_ gain: Float, over duration: Duration = .zero) {
    let limited = gain >= 0 ? min(gain, 1) : 0
    let milliseconds = UInt32(clamping: duration.wholeMilliseconds)
    share.gain.store(
      GainTarget(gain: limited, milliseconds: max(milliseconds, GainTarget.fadeMilliseconds)),
      ordering: .relaxed)
  }

  /// The source that is or was last audible, and its position; `nil` if there was none yet.
  public var heard: (source: PlaybackSource.ID, position: Duration)? {
    share.board.heard(at: share.clock.now).map { ($0.source, $0.position) }
  }

  /// The levels of what is audible now; `nil` if nothing is, or levels are not measured. From any thread.
  public var levels: SoundLevels? { share.levels.levels(at: share.clock.now) }

  /// Switches the measuring of levels on or off; it is off at first.
  public func measureLevels(_ isOn: Bool) { share.levels.isOn.store(isOn, ordering: .relaxed) }

  /// The number of underruns so far, as far as they can be detected.
  public var underrunCount: Int { share.underrunCount.load(ordering: .relaxed) }

  /// The last error of the output; `nil` if there was none, or it was opened again since. After ``shutDown(within:)``,
  /// it shows whether everything was stored.
  public var outputFailure: OutputError? { share.device.withLock { $0.failure } }

  /// The number of threads of the engine that have not ended. For a test's clock, on which time passes when all of them
  /// sleep.
  package var liveThreadCount: Int { threads.liveCount.load(ordering: .sequentiallyConsistent) }

  /// Fades out, closes the output and ends the threads. No event is delivered afterwards, and commands are ignored.
  ///
  /// - Parameter milliseconds: The timeout, since a file or a device may block.
  /// - Returns: Whether all threads ended.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    share.inputs.post(.quit)
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    return threads.join(until: deadline)
  }
}

/// An event of the engine. Playback events are in the order, and at the time, in which they are audible; decoding
/// errors come as soon as they are known.
public enum EngineEvent: Sendable, Equatable {
  /// The state of playback.
  public enum Phase: Sendable, Hashable {
    /// Nothing plays; the output is closed.
    case stopped
    /// Audio goes to the output, or is about to.
    case playing
    /// Playback is paused.
    case paused
  }

  /// The next track after this source will be needed soon; see ``PlaybackEngine/follow(_:with:_:)``.
  case needsNext(after: PlaybackSource.ID)
  /// The first frame of this source, or the first after a seek, is audible, in a stream of the format `stream`.
  /// `duration` and `bitRate` (in bits per second) are as the file states them.
  case started(
    PlaybackSource.ID, format: AudioFormat, stream: AudioFormat, duration: Duration?, bitRate: Int? = nil)
  /// The position in this source: within half a second after each new second begins, and at a pause or seek.
  case position(PlaybackSource.ID, Duration)
  /// Playback was started, paused or stopped by a command.
  case changed(Phase)
  /// This source cannot be played; playback continues with the next track.
  case failed(PlaybackSource.ID, DecodingError)
  /// This source was played, but ended before its stated end.
  case endedEarly(PlaybackSource.ID, DecodingError)
  /// The last source was played to its end; the phase is now `stopped`.
  case finished
  /// An output was opened; `warning` is for the user.
  case outputOpened(name: String, format: DeviceFormat, latency: Duration, warning: String?)
  /// The device was lost. Unless the phase becomes `paused`, it is reopened with back-off, and playback resumes from
  /// the last audible sample.
  case outputLost(OutputError)
  /// The device has accepted no samples for a while, or accepts them again.
  case outputStalled(Bool)
  /// The current source has delivered no samples for a while because its file cannot be read, or delivers them again.
  case inputStalled(Bool)
  /// The output failed for good; the phase is now `stopped`.
  case outputFailed(OutputError)
}

/// How one source passes into the next.
public enum Transition: Sendable, Hashable {
  /// The first frame of the next source immediately follows the last of this one.
  case gapless
  /// The end of this source fades out while the beginning of the next fades in, with equal power, over this duration.
  case crossfade(Duration)
}
