// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Equalising
public import MusicModel
import PlaybackEngine

/// A transport command, a change of a playback setting, or a report from the engine.
public enum PlaybackAction: Sendable, Equatable {
  case pause
  /// Resume after a pause. When stopped, play the current item of the queue, or the first if there is none.
  case resume
  /// Pause while playing, resume otherwise.
  case toggle
  /// Pause for something that the sound server gives precedence to, such as a call. When it has ended (`false`),
  /// resume, unless the user has paused, resumed or stopped playback meanwhile.
  case interrupt(Bool)
  /// Stop and close the output. The current item stays current. Playing it again resumes from this position or, if
  /// `rewinds` is set, from its beginning.
  case stop(rewinds: Bool)
  /// Play the next item; after the last one, stop.
  case next
  /// Play the previous item, or restart the current one if more than its first few seconds have played.
  case previous
  /// Play the previous item, however far the current one has played.
  case back
  /// Seek within the current item.
  case seek(SeekTarget)
  /// Go to a chapter of the current item.
  case chapter(ChapterTarget)
  /// Repeat a passage of the current item, or end that.
  case loop(LoopRequest)
  case setVolume(Volume)
  /// Change the volume by this many percentage points.
  case changeVolume(by: Int)
  /// Play at this speed from now on.
  case setSpeed(PlaybackSpeed)
  /// Change the speed by this much, at most to the slowest or the fastest.
  case changeSpeed(by: Double)
  case setReplayGain(ReplayGainSettings)
  case setCrossfade(Crossfade)
  /// Report the name of the output that plays, which decides about the profile of the equaliser.
  case nameOutput(String)
  /// Set the profiles of the equaliser and the levels of crossfeed, by the names of the outputs to which they belong.
  case setEqualisers([String: NamedEqualiser], crossfeeds: [String: Crossfeed] = [:])
  /// Apply no profile of the equaliser and no crossfeed (`true`), or those of the output again.
  case bypassEqualiser(Bool)
  /// Store the MixRamp settings of clients.
  case setMixRamp(MixRampSettings)
  /// Enable or disable the output. While it is disabled, playback is paused and the device is closed.
  case enableOutput(Bool)
  /// Close the output, and open the one that is chosen by now, where playback continues.
  case reopenOutput
  /// Pause because none of the preferred outputs is available.
  case pauseWithoutOutput
  /// Report that what is audible also goes to the FIFO of this name.
  case openTap(name: String)
  case enableTap(Bool)
  /// Set the sleep timer, or cancel it with `nil`.
  case sleep(SleepTimer?)
  /// Fade to silence over this time, and stay silent until playback stops or the volume is set again.
  case fadeOut(Duration)
  case dismissError
  case report(PlaybackReport)
}

/// A chapter of the current item to go to.
public enum ChapterTarget: Sendable, Hashable, Codable {
  /// The next chapter or, after the last one, the next item.
  case next
  /// The beginning of the current chapter or, within its first few seconds, the previous one; before the first one, as
  /// ``PlaybackAction/previous``.
  case previous
  /// The chapter with this number, counted from 1.
  case number(Int)
}

/// What to do with the passage of the current item that is repeated.
public enum LoopRequest: Sendable, Hashable, Codable {
  /// Repeat what is between these positions.
  case passage(from: Duration, to: Duration)
  /// Set the beginning of the passage to the present position or, if that is set already, the end; a passage that is
  /// being repeated is not repeated any more.
  case mark
  case off
}

/// The passage of an item that is repeated.
public struct Loop: Sendable, Hashable {
  public let start: Duration
  /// The end; `nil` until that is set.
  public let end: Duration?

  /// The passage; `nil` until its end is set.
  var passage: SourcePassage? { end.flatMap { SourcePassage(start: start, end: $0) } }
}

/// A report from the engine, in terms of queue items.
public enum PlaybackReport: Sendable, Equatable {
  /// The item was requested. It starts at `at`, or waits there paused. `lasting` is the length from its tags, or `nil`
  /// if they have none.
  case requested(PlayQueue.Item.ID, isPaused: Bool = false, at: Duration = .zero, lasting: Duration? = nil)
  /// This passage of the current item is repeated from now on; `nil` if none is.
  case looped(Loop?)
  /// The requested item resumes at this position, where it was left.
  case resumed(PlayQueue.Item.ID, at: Duration)
  /// The item is about to be played from its beginning: the current one once more, or one instead of the requested one.
  case repeated(PlayQueue.Item.ID)
  /// Playback should stop: an edit left nothing to play, or the request went past the last item.
  case stopRequested(byEdit: Bool)
  /// The item has become audible.
  ///
  /// `stream` is the format of the stream in which it is played, `gain` the ReplayGain decision, `duration` the length
  /// that the file or, if it does not, its tags state, and `encoding` says how it is encoded. The previous item may
  /// fade out during the first `crossfade` of this one. `part` is what is played of the item, at `speed`.
  case started(
    PlayQueue.Item.ID, format: AudioFormat, stream: AudioFormat, gain: ReplayGainDecision,
    duration: Duration?, crossfade: Duration = .zero, encoding: SourceEncoding = SourceEncoding(),
    part: PlayedPart = PlayedPart(), speed: PlaybackSpeed = .normal
  )
  /// A seek that was requested before has not been executed yet.
  case seekPending
  /// This is what the stream of the item says of what is audible now.
  case text(PlayQueue.Item.ID, SourceText)
  case gainChanged(PlayQueue.Item.ID, ReplayGainDecision)
  case speedChanged(PlayQueue.Item.ID, PlaybackSpeed)
  /// An item was played to its end, and the item requested since waits, because of ``QueueModes/single``.
  case waiting
  /// The elapsed time of the item.
  case position(PlayQueue.Item.ID, Duration)
  /// Playback started, paused or stopped.
  case changed(PlaybackState.Phase)
  /// The engine has begun to execute the last command.
  case confirmed(PlaybackState.Phase)
  /// This item cannot be played and is skipped.
  case failed(PlayQueue.Item.ID, DecodingError)
  /// This item was played, but ended before its stated end.
  case endedEarly(PlayQueue.Item.ID, DecodingError)
  /// The queue was played to its end.
  case finished
  case outputOpened(PlaybackState.Output, warning: String?)
  /// The output that was chosen while playing was opened, or did not open for this reason, so that playback continues
  /// on the one before. `preferred` is its name if it is one of a list of preferred outputs.
  case outputChosen(failure: OutputError?, preferred: String? = nil)
  /// If the output is lost, another one of a list is used soon, or playback pauses (`true`); or it is reopened.
  case outputsFollowed(Bool)
  /// The device was lost. It is reopened with back-off, unless playback pauses on device loss.
  case outputLost(OutputError)
  /// The device has stopped accepting samples for a while (`true`), or accepts them again (`false`).
  case outputStalled(Bool)
  /// The server of the current item is to be connected to again, for this reason; `nil` when that is over.
  case connectionFailed(String?)
  /// The current item has produced no sound for a while, because its disk or its server does not respond (`true`), or
  /// produces it again (`false`).
  case inputStalled(Bool)
  case underruns(Int)
  /// The output failed and playback ended. `isLast` is `true` if nothing else was requested since.
  case outputFailed(OutputError, isLast: Bool = true)
}

/// A volume in percent: 0 is silence, 100 leaves every sample unchanged.
public struct Volume: Sendable, Hashable {
  /// Full volume, 100 %.
  public static let full = Volume(percent: 100)

  /// The percentage, from 0 to 100.
  public let percent: Int

  /// Creates a volume, limiting `percent` to the valid range.
  public init(percent: Int) { self.percent = min(max(percent, 0), 100) }

  /// The gain factor for samples. It is the cube of the fraction, so that equal steps in percent sound about equal.
  public var gain: Float {
    let fraction = Float(percent) / 100
    return fraction * fraction * fraction
  }

  /// Returns this volume changed by `percent` percentage points.
  public func changed(by percent: Int) -> Volume {
    Volume(percent: self.percent + min(max(percent, -100), 100))
  }
}

/// The crossfade between tracks.
public struct Crossfade: Sendable, Hashable {
  /// The maximum length of a crossfade.
  public static let limit = Duration.seconds(30)
  /// No crossfade: each track begins where the previous one ends.
  public static let off = Crossfade(duration: .zero, withinAlbums: false)

  /// The length of the crossfade; zero for none.
  public let duration: Duration
  /// Whether to crossfade even between consecutive tracks of one album.
  public let withinAlbums: Bool
  /// The length of the crossfade when the user goes to the next track; zero for none.
  public let onNext: Duration

  /// Creates crossfades of these lengths, limited to ``limit``.
  public init(duration: Duration, withinAlbums: Bool, onNext: Duration = .zero) {
    self.duration = min(max(.zero, duration), Self.limit)
    self.withinAlbums = withinAlbums
    self.onNext = min(max(.zero, onNext), Self.limit)
  }

  /// Returns these crossfades with what is not `nil` changed. Lengths are in seconds.
  public func changed(
    _ seconds: Double? = nil, withinAlbums: Bool? = nil, onNext: Double? = nil
  ) -> Crossfade {
    let length = { (seconds: Double) in Duration.seconds(max(0, min(seconds, Self.limit / .seconds(1)))) }
    return Crossfade(
      duration: seconds.map(length) ?? duration, withinAlbums: withinAlbums ?? self.withinAlbums,
      onNext: onNext.map(length) ?? self.onNext)
  }

  func transition(from track: Track, to next: Track) -> Transition {
    guard duration > .zero, withinAlbums || !track.isContinued(by: next) else { return .gapless }
    return .crossfade(duration)
  }
}

/// The MixRamp settings of clients: the loudness at which the ends of tracks should overlap, according to tags that
/// describe the loudness over time.
///
/// They are stored and reported, but have no effect, since those tags are not read: tracks are joined according to
/// ``Crossfade``.
public struct MixRampSettings: Sendable, Hashable {
  /// The loudness of tracks where they overlap, in decibels.
  public var decibels: Double
  /// An additional delay before the overlap, in seconds; `nil` if tracks should not overlap.
  public var delay: Double?

  public init(decibels: Double = 0, delay: Double? = nil) {
    self.decibels = decibels
    self.delay = delay
  }
}
