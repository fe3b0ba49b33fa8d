// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel

/// A command to the transport, a playback setting, or a report of the engine.
public enum PlaybackAction: Sendable, Equatable {
  /// Pause playback.
  case pause
  /// Resume after a pause. When stopped, play the current item of the queue, or the first if there is none.
  case resume
  /// Pause while playing, resume otherwise.
  case toggle
  /// Stop and close the output. The current item stays current. Playing it again resumes from the present position or,
  /// if `rewinds` is set, from its beginning.
  case stop(rewinds: Bool)
  /// Play the next item; after the last one, stop.
  case next
  /// Play the previous item, or restart the current one if more than its first few seconds have played.
  case previous
  /// Play the previous item, however far the current one has played.
  case back
  /// Seek within the current item.
  case seek(SeekTarget)
  /// Set the volume.
  case setVolume(Volume)
  /// Change the volume by this many percentage points.
  case changeVolume(by: Int)
  /// Set the ReplayGain mode and its options.
  case setReplayGain(ReplayGainSettings)
  /// Set the crossfade between tracks.
  case setCrossfade(Crossfade)
  /// Store the MixRamp settings of clients.
  case setMixRamp(MixRampSettings)
  /// Enable or disable the output. While it is disabled, playback is paused and the device is closed.
  case enableOutput(Bool)
  /// Set the sleep timer, or cancel it with `nil`.
  case sleep(SleepTimer?)
  /// Fade to silence over this time, and stay silent until playback stops or the volume is set again.
  case fadeOut(Duration)
  /// Clear the output error.
  case dismissError
  /// An event that the engine reported.
  case report(PlaybackReport)
}

/// An event of the engine, in terms of queue items.
public enum PlaybackReport: Sendable, Equatable {
  /// The item was requested. It starts at `at`, or waits there paused. `lasting` is the length from its tags, if known.
  case requested(PlayQueue.Item.ID, isPaused: Bool = false, at: Duration = .zero, lasting: Duration? = nil)
  /// The current item is about to be played once more.
  case repeated(PlayQueue.Item.ID)
  /// Playback should stop: an edit left nothing to play, or the request went past the last item.
  case silenced(byEdit: Bool)
  /// The item has become audible.
  ///
  /// `stream` is the format of the stream that carries it, `gain` the ReplayGain decision, `duration` the length that
  /// the file states, and `bitRate` the bit rate of its audio in bits per second. The previous item was to fade out
  /// over the first `crossfade` of it.
  case started(
    PlayQueue.Item.ID, format: AudioFormat, stream: AudioFormat, gain: ReplayGainDecision,
    duration: Duration?, crossfade: Duration = .zero, bitRate: Int? = nil
  )
  /// The gain of this item has changed.
  case gainChanged(PlayQueue.Item.ID, ReplayGainDecision)
  /// An item was played to its end, and the item requested since waits, because of ``QueueModes/single``.
  case waiting
  /// The elapsed time of the item.
  case position(PlayQueue.Item.ID, Duration)
  /// Playback started, paused or stopped.
  case changed(PlaybackState.Phase)
  /// The engine has begun to carry out the last command.
  case confirmed(PlaybackState.Phase)
  /// This item cannot be played and is skipped.
  case failed(PlayQueue.Item.ID, DecodingError)
  /// This item was played, but ended before its end.
  case endedEarly(PlayQueue.Item.ID, DecodingError)
  /// The queue was played to its end.
  case finished
  /// An output was opened.
  case outputOpened(PlaybackState.Output, warning: String?)
  /// The device was lost. It is reopened with back-off, unless playback pauses on device loss.
  case outputLost(OutputError)
  /// The device has stopped accepting samples for a while, or accepts them again.
  case outputStalled(Bool)
  /// The current item has produced no sound for a while because its file cannot be read, or produces it again.
  case inputStalled(Bool)
  /// The number of underruns so far.
  case underruns(Int)
  /// The output failed and playback ended. `isLast` is whether nothing else was requested since.
  case outputFailed(OutputError, isLast: Bool = true)
}
