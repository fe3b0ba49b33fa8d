public import AudioCore
public import Flux
public import MusicModel

/// Says what the user wants: the only way from a view into the flow. From any thread.
public struct PlayerActionCreator: Sendable {
  private let queue: QueueDispatcher
  private let playback: PlaybackDispatcher

  /// One that speaks to these dispatchers.
  public init(queue: QueueDispatcher, playback: PlaybackDispatcher) {
    self.queue = queue
    self.playback = playback
  }

  /// Makes `collection` the queue and plays it from the track at index `item`, or with `nil` only loads it.
  public func enqueue(_ collection: TrackCollection, item: Int?) {
    queue.dispatch(.enqueue(collection, item: item))
  }

  /// Waits at this place.
  public func pause() { playback.dispatch(.pause) }

  /// Goes on after a pause; where nothing plays, plays the current item.
  public func resume() { playback.dispatch(.resume) }

  /// Pauses or resumes.
  public func toggle() { playback.dispatch(.toggle) }

  /// Stops, and closes the output.
  public func stop() { playback.dispatch(.stop) }

  /// Plays the next item.
  public func next() { playback.dispatch(.next) }

  /// Plays the item before, or, after its first seconds, the current one from its beginning.
  public func previous() { playback.dispatch(.previous) }

  /// Goes to another place in the item that plays.
  public func seek(_ target: SeekTarget) { playback.dispatch(.seek(target)) }

  /// Plays this loud.
  public func setVolume(_ volume: Volume) { playback.dispatch(.setVolume(volume)) }

  /// Plays so many percent louder, or softer where negative.
  public func changeVolume(by percent: Int) { playback.dispatch(.changeVolume(by: percent)) }

  /// Makes tracks louder or softer by these rules.
  public func setReplayGain(_ settings: ReplayGainSettings) { playback.dispatch(.setReplayGain(settings)) }

  /// Has tracks fade into each other like this.
  public func setCrossfade(_ crossfade: Crossfade) { playback.dispatch(.setCrossfade(crossfade)) }

  /// Stops by itself then; with `nil`, not.
  public func sleep(_ timer: SleepTimer?) { playback.dispatch(.sleep(timer)) }
}
