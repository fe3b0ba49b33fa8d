// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Equalising
public import Platform
import Synchronization
public import SystemPackage

/// An engine that plays sources one after the other, without a gap.
///
/// It has three threads: a decode thread, a render thread, and a control thread that runs the `Transport`. Every member
/// may be called from any thread and returns immediately; commands take effect in the order in which they are given.
/// ``EngineEvent``s are delivered in order, on the control thread, which must not be blocked. A file or device that
/// blocks delays nothing else.
public final class PlaybackEngine: Sendable {
  private let context: EngineContext
  private let threads: EngineThreads

  /// Creates an engine that is stopped.
  ///
  /// - Parameter clock: The clock for positions, timeouts and watching files and devices.
  /// - Throws: `Errno` if the system cannot create the threads.
  public init(
    settings: EngineSettings = EngineSettings(), clock: any MonotonicClock = SystemClock(),
    decoders: @escaping DecoderFactory, resamplers: @escaping ResamplerFactory,
    stretchers: @escaping StretcherFactory = { _, _, _ in nil }, outputs: @escaping OutputFactory
  ) throws(Errno) {
    let controlSignal = ThreadSignal()
    let inputs = Mailbox<Transport.Input>(waking: controlSignal)
    let context = EngineContext(settings: settings, clock: clock, controlSignal: controlSignal, inputs: inputs)
    self.context = context
    threads = EngineThreads(
      context: context, open: decoders, resamplers: resamplers, stretchers: stretchers, openOutput: outputs)
    try threads.start()
  }

  deinit { context.inputs.post(.quit) }

  /// Calls `receive` with every event from now on, instead of the previous receiver.
  ///
  /// `executed` says which commands had been executed at the time of the event. If there has been a `play` command
  /// since, a stop or an end is out of date; after a seek, a position is.
  public func onEvent(
    _ receive: @escaping @Sendable (_ event: EngineEvent, _ executed: ExecutedCommands) -> Void
  ) {
    context.eventReceiver.withLock { $0 = EventReceiver(receive: receive) }
  }

  /// Plays `source` from `position`, instead of the current source, and forgets the next track. If `isPaused` is set,
  /// `source` starts paused. Otherwise, what is playing fades out over `crossfade`, while `source` fades in, if both
  /// can be mixed.
  public func play(
    _ source: PlaybackSource, from position: Duration = .zero, isPaused: Bool = false, crossfade: Duration = .zero
  ) {
    context.inputs.post(.play(source, at: position, isPaused: isPaused, crossfade: crossfade))
  }

  /// Sets the next track after the source `id`: `source`, or none.
  ///
  /// This is the answer to ``EngineEvent/needsNext(after:)``; if it comes early enough, the tracks join without a gap.
  /// It may be called again. It then takes effect as soon as it returns, unless frames of the earlier next track have
  /// been written to the output. The source `id` plays on unchanged, and what was decoded of the earlier next track is
  /// dropped. If the end of the source was mixed or converted together with that track, or is to be mixed with the new
  /// one and none of these frames has been written, the end is decoded again, and some of it may be played twice. A
  /// crossfade whose beginning has been written does not take effect.
  public func setNext(
    after id: PlaybackSource.ID, _ source: PlaybackSource?, _ transition: Transition = .gapless
  ) {
    context.sourcesWithNext.withLock { sourcesWithNext in
      let sequenceNumber = context.nextTrackGate.nextSequenceNumber()
      if sourcesWithNext.contains(id) {
        context.nextTrackGate.close(after: id, until: sequenceNumber)
      } else {
        sourcesWithNext.append(id)
        if sourcesWithNext.count > EngineContext.earlierSourceLimit { sourcesWithNext.removeFirst() }
      }
      context.inputs.post(.setNext(after: id, source, transition, sequenceNumber: sequenceNumber))
      // What was written of the earlier next track may have to be taken back.
      context.renderSignal.wake()
    }
  }

  /// Sets the maximum length of the crossfades that ``setNext(after:_:_:)`` may request. This much of a source's end is
  /// held back until the next track is known.
  public func setMaximumCrossfade(_ duration: Duration) {
    let milliseconds = Int(clamping: duration.wholeMilliseconds)
    context.crossfadeMilliseconds.store(milliseconds, ordering: .relaxed)
  }

  /// Fades out and pauses. The output stays open; a device is closed after three seconds. Has no effect unless
  /// something is playing.
  public func pause() { context.inputs.post(.pause) }

  /// Pauses, and immediately closes a device, so that other programs can use it until playback resumes. Has no effect
  /// if stopped.
  public func release() { context.inputs.post(.release) }

  /// Fades out, closes the output where it is audible now, and opens one again, where playback continues with the next
  /// frame. Has no effect if stopped.
  public func reopenOutput() { context.inputs.post(.reopenOutput) }

  /// Resumes after a pause.
  public func resume() { context.inputs.post(.resume) }

  /// Fades out, forgets the current and next tracks, and closes the output.
  public func stop() { context.inputs.post(.stop) }

  /// Seeks in the current source. A target before its beginning becomes its beginning; one at or after its end
  /// continues with the next track.
  public func seek(_ target: SeekTarget) { context.inputs.post(.seek(target)) }

  /// Changes the gain of source `id` from the current position on, if that source is playing.
  public func setGain(_ gain: SourceGain, of id: PlaybackSource.ID) { context.inputs.post(.setGain(id, gain)) }

  /// Changes the speed of source `id` from the current position on, if that source is playing. At any other speed than
  /// the normal one, samples are stretched, and DSD is converted to PCM.
  public func setSpeed(_ speed: PlaybackSpeed, of id: PlaybackSource.ID) { context.inputs.post(.setSpeed(id, speed)) }

  /// Plays other frames of source `id` from the current position on, if that source is playing.
  public func setFrames(_ frames: SourceFrames, of id: PlaybackSource.ID) {
    context.inputs.post(.setFrames(id, frames))
  }

  /// Repeats a passage of source `id` again and again, without a gap, if that source is playing at a position before
  /// the end of the passage; `nil` ends that. What was written to the output beyond the end is taken back if possible.
  public func setPassage(_ passage: SourcePassage?, of id: PlaybackSource.ID) {
    context.inputs.post(.setPassage(id, passage))
  }

  /// Multiplies all samples by `gain` from now on: 0 is silence, 1 leaves them unchanged.
  ///
  /// The gain changes linearly over `duration`, which is a fade; without one, it is the volume that the user has set,
  /// and changes over the shortest time in which no step is audible. An output may apply the volume itself.
  public func setVolume(_ gain: Float, over duration: Duration = .zero) {
    let limited = gain >= 0 ? min(gain, 1) : 0
    let milliseconds = UInt32(clamping: duration.wholeMilliseconds)
    let isFade = duration > .zero
    if !isFade { context.volume.store(limited.bitPattern, ordering: .relaxed) }
    context.gain.store(
      GainTarget(gain: limited, milliseconds: max(milliseconds, GainTarget.fadeMilliseconds), isFade: isFade),
      ordering: .relaxed)
    context.renderSignal.wake()
  }

  /// Applies the filters of `profile` from now on, or none, and `crossfeed` to stereo. The outputs before and after the
  /// change are faded into each other, so that it does not click. A profile that changes nothing leaves samples
  /// unchanged.
  public func setEqualiser(_ profile: EqualiserProfile?, crossfeed: Crossfeed? = nil) {
    let new = EqualiserTarget(profile, crossfeed)
    context.equaliser.withLock { target in
      guard target.replace(with: new) else { return }
      context.isEqualised.store(target.isEqualised, ordering: .relaxed)
      context.hasCrossfeed.store(target.crossfeed != nil, ordering: .relaxed)
      context.equaliserNumber.store(target.number, ordering: .releasing)
    }
    context.renderSignal.wake()
  }

  /// The source that is audible now, or was last, and the position in it; `nil` if there was none yet.
  public var audiblePosition: (source: PlaybackSource.ID, position: Duration)? {
    context.positionPublisher.position(at: context.clock.now).map { ($0.source, $0.position) }
  }

  /// The sound that is audible now; `nil` if there is none, if it is DSD, or if it is not recorded. Can be read from
  /// any thread.
  public var audibleSound: AudibleSound? { context.history.sound(at: context.clock.now) }

  /// Switches the recording of ``audibleSound`` on or off; it is off at first.
  public func recordSound(_ isOn: Bool) {
    context.history.record(isOn)
    // What has been written and is not audible yet is recorded, too.
    context.renderSignal.wake()
  }

  /// The number of underruns so far, as far as they can be detected.
  public var underrunCount: Int { context.underrunCount.load(ordering: .relaxed) }

  /// The last error of the output; `nil` if there was none, or the output has been opened again since. After
  /// ``shutDown(within:)``, it shows whether everything was stored.
  public var outputFailure: OutputError? { context.device.withLock { $0.failure } }

  /// The number of the engine's threads that have not ended. For a simulated clock, whose time advances when all of
  /// them sleep.
  package var liveThreadCount: Int { threads.liveCount }

  /// Fades out, closes the output and ends the threads. No event is delivered afterwards, and commands are ignored.
  ///
  /// - Parameters:
  ///   - milliseconds: The timeout, since a file or a device may block.
  ///   - closingMilliseconds: The timeout for the output, if that may take longer than what is decoded.
  /// - Returns: Whether all threads have ended.
  public func shutDown(within milliseconds: UInt64, closingWithin closingMilliseconds: UInt64? = nil) -> Bool {
    context.inputs.post(.quit)
    let now = MonotonicInstant.now
    return threads.join(
      until: now.advanced(byMilliseconds: milliseconds),
      renderingUntil: now.advanced(byMilliseconds: closingMilliseconds ?? milliseconds))
  }
}

/// The commands that the engine had executed at the time of an event, as far as they change the position.
public struct ExecutedCommands: Sendable, Hashable {
  /// The ID of the source of the last `play` command; `nil` if there was none.
  public var source: PlaybackSource.ID?
  /// The number of seeks since the last `play` command.
  public var seekCount: Int

  /// Creates a value for the last `play` command and `seekCount` seeks after it.
  public init(source: PlaybackSource.ID? = nil, seekCount: Int = 0) {
    self.source = source
    self.seekCount = seekCount
  }
}

/// An event of the engine. Playback events come in the order, and at the time, in which they are audible; decoding
/// errors come as soon as they are known.
public enum EngineEvent: Sendable, Equatable {
  /// The state of playback.
  public enum Phase: Sendable, Hashable {
    /// Nothing is playing; the output is closed.
    case stopped
    /// Audio is being written to the output, or is about to be.
    case playing
    case paused
  }

  /// The next track after this source will be needed soon; see ``PlaybackEngine/setNext(after:_:_:)``.
  case needsNext(after: PlaybackSource.ID)
  /// The first frame of this source, or the first after a seek or of a passage that is repeated, has become audible, in
  /// a stream of the format `stream`.
  /// `duration` is as the file states it; `nil` if it does not.
  case started(
    PlaybackSource.ID, format: AudioFormat, stream: AudioFormat, duration: Duration?,
    encoding: SourceEncoding = SourceEncoding())
  /// This is what a stream says of the frames that are audible now.
  case text(PlaybackSource.ID, SourceText)
  /// The position in this source. It comes within half a second after each new second begins, and at a pause or seek.
  case position(PlaybackSource.ID, Duration)
  /// A command has started, paused or stopped playback.
  case changed(Phase)
  /// This source cannot be played; playback continues with the next track.
  case failed(PlaybackSource.ID, DecodingError)
  /// This source was played, but ended before the end that its file states.
  case endedEarly(PlaybackSource.ID, DecodingError)
  /// The last source was played to its end; the phase is now `stopped`.
  case finished
  /// An output was opened; `warning` is for the user.
  case outputOpened(name: String, format: DeviceFormat, latency: Duration, warning: String?)
  /// The device was lost. Unless the phase becomes `paused`, it is reopened with back-off, and playback resumes after
  /// the last audible sample.
  case outputLost(OutputError)
  /// The device has accepted no samples for a while (`true`), or accepts them again (`false`).
  case outputStalled(Bool)
  /// The current source has delivered no samples for a while because its file cannot be read (`true`), or delivers them
  /// again (`false`).
  case inputStalled(Bool)
  /// The output failed permanently; the phase is now `stopped`.
  case outputFailed(OutputError)
}

/// The way in which one source is followed by the next.
public enum Transition: Sendable, Hashable {
  /// The first frame of the next source immediately follows the last of this one.
  case gapless
  /// The end of one source fades out while the beginning of the next fades in, with equal power, over this duration.
  case crossfade(Duration)
}
