import AudioCore
import MusicModel
import PlaybackEngine

/// What is to be done after an action: the reducer decides, and the ``EnQueueController`` performs.
enum PlayerEffect: Sendable, Equatable {
  /// Play this source from this place on, or wait there.
  case play(PlaybackSource, at: Duration, isPaused: Bool)
  /// Play this source, or nothing, after another.
  case setNext(PlaybackSource?, after: PlaybackSource.ID, Transition)
  /// Fade out and wait.
  case pause
  /// Carry on.
  case resume
  /// Fade out and close the output.
  case stop
  /// Pause, and close the device at once.
  case release
  /// Go to another place in what plays.
  case seek(SeekTarget)
  /// Make a source that plays louder or softer.
  case setGain(SourceGain, of: PlaybackSource.ID)
  /// Reach this volume, from 0 to 1, over so long.
  case setVolume(Float, over: Duration)
  /// Be ready for crossfades of this length.
  case expectCrossfade(Duration)
  /// Find out the ReplayGain values of these items, and of no others any more.
  case lookUpReplayGain([PlayQueue.Item])
  /// Look whether the files of these items are there.
  case checkFiles(AvailabilityWatch.Look)
}
