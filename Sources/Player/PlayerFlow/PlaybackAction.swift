public import AudioCore
public import MusicModel

/// What the user wants of playing, or what the engine reports of it.
public enum PlaybackAction: Sendable, Equatable {
  /// Wait at this place.
  case pause
  /// Go on after a pause; where nothing plays, play the queue's current item, or else its first.
  case resume
  /// `pause` while playing, `resume` otherwise.
  case toggle
  /// Stop, and close the output. The current item stays current, and goes on from this place when it is played again,
  /// or `rewinds` to its beginning.
  case stop(rewinds: Bool)
  /// Play the item after the current one; after the last one, stop.
  case next
  /// Play the item before the current one; after its first seconds, the current one from its beginning.
  case previous
  /// Play the item before the current one, however much of that was heard.
  case back
  /// Go to another place in the item that plays.
  case seek(SeekTarget)
  /// Play this loud.
  case setVolume(Volume)
  /// Play so many percent louder, or softer where negative.
  case changeVolume(by: Int)
  /// Make tracks louder or softer by these rules.
  case setReplayGain(ReplayGainSettings)
  /// Have tracks fade into each other like this.
  case setCrossfade(Crossfade)
  /// Keep what clients ask for of MixRamp.
  case setMixRamp(MixRampSettings)
  /// Whether sound may go to the output: where it may not, playing waits, and the device is closed.
  case enableOutput(Bool)
  /// Stop by itself then; with `nil`, not.
  case sleep(SleepTimer?)
  /// Fade to silence over so long, and stay there until playing stops or another volume is asked for.
  case fadeOut(Duration)
  /// Say no more why the output failed.
  case dismissError
  /// The engine reports something.
  case report(PlaybackReport)
}

/// What the engine reports, in the queue's words.
public enum PlaybackReport: Sendable, Equatable {
  /// This item was asked for, and is about to be heard from this place on, or to wait there; it lasts so long, as far
  /// as its tags say.
  case requested(PlayQueue.Item.ID, isPaused: Bool = false, at: Duration = .zero, lasting: Duration? = nil)
  /// The item that is heard is about to be heard once more.
  case repeated(PlayQueue.Item.ID)
  /// Nothing is to be heard any more: an edit has left nothing to play, or what was asked for lies behind the last
  /// item.
  case silenced(byEdit: Bool)
  /// This item is heard now, in a stream of the format `stream`, made louder or softer by `gain`. `duration` is what
  /// its file states, and `bitRate` how many bits a second it takes for its sound. The end of the item before was to
  /// fade out over the first `crossfade` of it.
  case started(
    PlayQueue.Item.ID, format: AudioFormat, stream: AudioFormat, gain: ReplayGainDecision,
    duration: Duration?, crossfade: Duration = .zero, bitRate: Int? = nil
  )
  /// The gain of this item is another from now on.
  case gainChanged(PlayQueue.Item.ID, ReplayGainDecision)
  /// An item was heard to its end, and the one that was requested since waits, as ``QueueModes/single`` has it.
  case waiting
  /// So much of the item has been heard.
  case position(PlayQueue.Item.ID, Duration)
  /// Playing began, waits or ended.
  case changed(PlaybackState.Phase)
  /// The engine has begun to do what was asked for.
  case confirmed(PlaybackState.Phase)
  /// This item cannot be played, and is skipped.
  case failed(PlayQueue.Item.ID, DecodingError)
  /// This item was played, but ended before its end.
  case endedEarly(PlayQueue.Item.ID, DecodingError)
  /// The queue was played to its end.
  case finished
  /// An output was opened.
  case outputOpened(PlaybackState.Output, warning: String?)
  /// The device went. Unless playing pauses then, it is opened again with back-off.
  case outputLost(OutputError)
  /// The device has taken nothing for a while, or takes sound again.
  case outputStalled(Bool)
  /// What plays has given no sound for a while, since its file cannot be read at present, or gives some again.
  case inputStalled(Bool)
  /// The device was left without sound for the how manieth time.
  case underruns(Int)
  /// The output failed, and what played ended; `isLast` where nothing else was asked for since.
  case outputFailed(OutputError, isLast: Bool = true)
}
