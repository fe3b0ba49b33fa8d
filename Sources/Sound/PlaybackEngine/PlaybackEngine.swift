public import AudioCore
public import Platform
import Synchronization
public import SystemPackage

/// Plays sources one after the other, without a gap: the sound of Segue.
///
/// Three threads: one decodes, one puts out, one decides (the `Transport`). Every member may be called from any thread
/// and returns at once; commands take effect in the order in which they are given. What happens comes back as
/// ``EngineEvent``s, in order, on the deciding thread, which must not be blocked. A file or a device that blocks delays
/// nobody but itself.
public final class PlaybackEngine: Sendable {
  private let share: EngineContext
  private let threads: EngineThreads

  /// An engine that is stopped.
  ///
  /// - Parameter clock: what positions, time-outs and the watching of files and devices are reckoned by.
  /// - Throws: `Errno` where the system grants no threads.
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

  /// Has `receive` called with every event from now on, instead of whoever was told before.
  ///
  /// It is told, too, which source the engine had been commanded to play last when the event happened: where that is no
  /// longer the last command, a stop or an end is old news.
  public func onEvent(
    _ receive: @escaping @Sendable (_ event: EngineEvent, _ commanded: PlaybackSource.ID?) -> Void
  ) {
    share.receiver.withLock { $0 = EventReceiver(receive: receive) }
  }

  /// Plays `source` from `place` on, instead of whatever plays; what was to follow is forgotten. With `isPaused`, it
  /// waits there.
  public func play(_ source: PlaybackSource, at place: Duration = .zero, isPaused: Bool = false) {
    share.inputs.post(.play(source, at: place, isPaused: isPaused))
  }

  /// Says what is played after the source `id`: `source`, or nothing.
  ///
  /// The answer to ``EngineEvent/needsNext(after:)``; early enough, it joins without a gap. It may be given again, and
  /// then holds as soon as this returns, unless the output was given what was to follow before: the source `id` plays
  /// on untouched, and what was decoded of another source is dropped. Where its end was mixed or converted together
  /// with that, it is decoded anew, and some of it may be heard twice.
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

  /// Says how long the crossfades are that ``follow(_:with:_:)`` may ask for: so long, the end of a source is held back
  /// until it is known what follows.
  public func expectCrossfade(of duration: Duration) {
    let milliseconds = Int(clamping: duration.wholeMilliseconds)
    share.crossfadeMilliseconds.store(milliseconds, ordering: .relaxed)
  }

  /// Fades out and waits; the output stays open, a device for three seconds. Does nothing unless something plays.
  public func pause() { share.inputs.post(.pause) }

  /// Pauses, and has a device closed at once: others may use it until playing goes on. Does nothing where nothing plays
  /// or waits.
  public func release() { share.inputs.post(.release) }

  /// Goes on after a pause.
  public func resume() { share.inputs.post(.resume) }

  /// Fades out, forgets what plays and closes the output.
  public func stop() { share.inputs.post(.stop) }

  /// Goes to another place in the current source: not before its beginning, and at its end on to what follows.
  public func seek(_ target: SeekTarget) { share.inputs.post(.seek(target)) }

  /// Makes the source that plays louder or softer from here on; of any other, nothing changes.
  public func setGain(_ gain: SourceGain, of id: PlaybackSource.ID) { share.inputs.post(.setGain(id, gain)) }

  /// Multiplies every sample by `gain` from now on, from 0 (silence) to 1 (unchanged).
  ///
  /// It is reached in a straight line over `duration`, or over the shortest time in which no step is heard.
  public func setVolume(_ gain: Float, over duration: Duration = .zero) {
    let limited = gain >= 0 ? min(gain, 1) : 0
    let milliseconds = UInt32(clamping: duration.wholeMilliseconds)
    share.gain.store(
      GainTarget(gain: limited, milliseconds: max(milliseconds, GainTarget.fadeMilliseconds)),
      ordering: .relaxed)
  }

  /// Which source is heard at this moment, or was heard last, and how much of it; `nil` where nothing ever was.
  public var heard: (source: PlaybackSource.ID, position: Duration)? {
    share.board.heard(at: share.clock.now).map { ($0.source, $0.position) }
  }

  /// How loud what is heard at this moment is; `nil` where nothing is, or nothing is measured. From any thread.
  public var levels: SoundLevels? { share.levels.levels(at: share.clock.now) }

  /// Has levels be measured from now on, or not: nothing is to begin with.
  public func measureLevels(_ isOn: Bool) { share.levels.isOn.store(isOn, ordering: .relaxed) }

  /// How often a device was left without sound while something played, as far as can be told.
  public var underrunCount: Int { share.underrunCount.load(ordering: .relaxed) }

  /// Why the output failed last; `nil` where it did not, or opened again. After ``shutDown(within:)``, the word on
  /// whether all was stored.
  public var outputFailure: OutputError? { share.device.withLock { $0.failure } }

  /// How many threads of the engine have not ended: for a test's clock, under which time passes when all of them sleep.
  package var liveThreadCount: Int { threads.liveCount.load(ordering: .sequentiallyConsistent) }

  /// Fades out, closes the output and ends the threads; no event comes afterwards, and no command is obeyed.
  ///
  /// Waits at most until `milliseconds` have passed, since a file or a device may block; gives whether all threads
  /// ended.
  public func shutDown(within milliseconds: UInt64) -> Bool {
    share.inputs.post(.quit)
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    return threads.join(until: deadline)
  }
}

/// What the engine reports of itself: what is heard, in the order in which it is; what cannot be decoded, as soon as
/// that is known.
public enum EngineEvent: Sendable, Equatable {
  /// Whether something plays.
  public enum Phase: Sendable, Hashable {
    /// Nothing plays; the output is closed.
    case stopped
    /// Sound goes to the output, or is about to.
    case playing
    /// Playing waits where it is.
    case paused
  }

  /// The engine will soon want to know what is played after this source; see ``PlaybackEngine/follow(_:with:_:)``.
  case needsNext(after: PlaybackSource.ID)
  /// The first frame of this source, or the first after a seek, is heard, in a stream of the format `stream`.
  /// `duration` is what the file states, and `bitRate` how many bits a second it takes for its sound.
  case started(
    PlaybackSource.ID, format: AudioFormat, stream: AudioFormat, duration: Duration?, bitRate: Int? = nil)
  /// So much of this source has been heard: when another second of it begins, within half a second; and at
  /// a pause or seek.
  case position(PlaybackSource.ID, Duration)
  /// Playing began, waits or ended by a command.
  case changed(Phase)
  /// This source cannot be played; the engine goes on with what follows it.
  case failed(PlaybackSource.ID, DecodingError)
  /// This source was played, but ended before its end.
  case endedEarly(PlaybackSource.ID, DecodingError)
  /// The last source was heard to its end; the phase is `stopped`.
  case finished
  /// An output was opened; `warning` is what the user should know of it.
  case outputOpened(name: String, format: DeviceFormat, latency: Duration, warning: String?)
  /// The device went. Unless the phase becomes `paused`, it is opened again with back-off, and playing goes on from the
  /// last sample that was heard.
  case outputLost(OutputError)
  /// The device has taken nothing for a while, or takes sound again.
  case outputStalled(Bool)
  /// What plays has given no sound for a while, since its file cannot be read at present, or gives some again.
  case inputStalled(Bool)
  /// The output failed for good; the phase is `stopped`.
  case outputFailed(OutputError)
}

/// How one source goes over into the next.
public enum Transition: Sendable, Hashable {
  /// The first frame of the next comes right after the last frame of this one.
  case gapless
  /// The end of this one fades out while the beginning of the next fades in, with equal power, over this long.
  case crossfade(Duration)
}
