public import AudioCore
public import Flux
public import MusicModel
import Platform

/// Says what the user wants: the only way from a view into the flow. From any thread.
///
/// What it says of the queue is in `PlayerActionCreator+Queue.swift`.
public struct PlayerActionCreator: Sendable {
  let queue: QueueDispatcher
  private let playback: PlaybackDispatcher
  private let heard: @Sendable () -> Duration?

  /// One that speaks to these dispatchers.
  ///
  /// `heard` gives how much of the queue's current item was heard, and `nil` where it is not playing: the queue is told
  /// so before every edit, so that taking the edit back finds the place again. It may be called from any thread, and
  /// must not block.
  public init(
    queue: QueueDispatcher, playback: PlaybackDispatcher, heard: @escaping @Sendable () -> Duration? = { nil }
  ) {
    self.queue = queue
    self.playback = playback
    self.heard = heard
  }

  /// Tells the queue how much of the current item was heard, as it is kept: where playing goes on when it is taken up
  /// again.
  public func noteHeard() {
    if let heard = heard() { queue.dispatch(.heard(heard)) }
  }

  /// Blocks until all that was said before has reached whoever listens, and changed what it changes: another thread may
  /// be delivering it.
  ///
  /// From any thread outside of the cooperative pool, and never from a subscriber.
  public func awaitDelivery() {
    // A subscriber of one may have said something to the other.
    Self.awaitDelivery(of: playback)
    Self.awaitDelivery(of: queue)
    Self.awaitDelivery(of: playback)
  }

  private static func awaitDelivery<Action>(of dispatcher: Dispatcher<Action>) {
    let latch = Latch()
    dispatcher.afterDelivery { latch.open() }
    latch.wait()
  }

  /// Waits at this place.
  public func pause() { playback.dispatch(.pause) }

  /// Goes on after a pause; where nothing plays, plays the current item from where it was left.
  public func resume() { playback.dispatch(.resume) }

  /// Pauses or resumes.
  public func toggle() { playback.dispatch(.toggle) }

  /// Stops, and closes the output. The current item stays current, and resuming goes on from this place or, where that
  /// `rewinds`, begins anew.
  public func stop(rewinds: Bool = false) { playback.dispatch(.stop(rewinds: rewinds)) }

  /// Plays the next item.
  public func next() { playback.dispatch(.next) }

  /// Plays the item before, or, after its first seconds, the current one from its beginning.
  public func previous() { playback.dispatch(.previous) }

  /// Plays the item before, however much of the current one was heard.
  public func goBack() { playback.dispatch(.back) }

  /// Goes to another place in the item that plays.
  public func seek(_ target: SeekTarget) {
    // From where it is heard at this moment, which the state knows to the second.
    if case .by(let distance) = target, let heard = heard() {
      return playback.dispatch(.seek(.to(max(.zero, heard + distance))))
    }
    playback.dispatch(.seek(target))
  }

  /// Plays this loud.
  public func setVolume(_ volume: Volume) { playback.dispatch(.setVolume(volume)) }

  /// Plays so many percent louder, or softer where negative.
  public func changeVolume(by percent: Int) { playback.dispatch(.changeVolume(by: percent)) }

  /// Makes tracks louder or softer by these rules.
  public func setReplayGain(_ settings: ReplayGainSettings) { playback.dispatch(.setReplayGain(settings)) }

  /// Has tracks fade into each other like this.
  public func setCrossfade(_ crossfade: Crossfade) { playback.dispatch(.setCrossfade(crossfade)) }

  /// Keeps what clients ask for of MixRamp.
  public func setMixRamp(_ settings: MixRampSettings) { playback.dispatch(.setMixRamp(settings)) }

  /// Lets sound go to the output, or not: then playing waits, and the device is closed.
  public func enableOutput(_ isOn: Bool) { playback.dispatch(.enableOutput(isOn)) }

  /// Stops by itself then; with `nil`, not.
  public func sleep(_ timer: SleepTimer?) { playback.dispatch(.sleep(timer)) }

  /// Says no more why the output failed.
  public func dismissError() { playback.dispatch(.dismissError) }
}
