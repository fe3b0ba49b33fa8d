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
