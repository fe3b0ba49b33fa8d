public import AudioCore
public import Flux
public import MusicModel
import Platform

/// Says what the user wants: the only way from a view into the flow. From any thread.
///
/// What it says of the queue is in `PlayerActionCreator+Queue.swift`.
public struct PlayerActionCreator: Sendable {
  let dispatcher: QueueDispatcher

  /// One that speaks to this dispatcher.
  public init(dispatcher: QueueDispatcher) { self.dispatcher = dispatcher }

  /// Blocks until every action that was dispatched before has reached all subscribers: another thread may be delivering
  /// it.
  ///
  /// From any thread outside of the cooperative pool, and never from a subscriber.
  public func awaitDelivery() {
    let latch = Latch()
    dispatcher.afterDelivery { latch.open() }
    latch.wait()
  }

  /// Pauses playback.
  public func pause() { dispatcher.dispatch(.pause) }

  /// Resumes after a pause; where nothing plays, plays the current item from where it was left.
  public func resume() { dispatcher.dispatch(.resume) }

  /// Pauses or resumes.
  public func toggle() { dispatcher.dispatch(.toggle) }

  /// Stops, and closes the output. The current item stays current; resuming plays it from this position or, where
  /// `rewinds` is set, from its beginning.
  public func stop(rewinds: Bool = false) { dispatcher.dispatch(.stop(rewinds: rewinds)) }

  /// Plays the next item.
  public func next() { dispatcher.dispatch(.next) }

  /// Plays the item before, or, after its first seconds, the current one from its beginning.
  public func previous() { dispatcher.dispatch(.previous) }

  /// Plays the item before, however much of the current one was heard.
  public func goBack() { dispatcher.dispatch(.back) }

  /// Goes to another place in the item that plays.
  public func seek(_ target: SeekTarget) { dispatcher.dispatch(.seek(target)) }

  /// Plays this loud.
  public func setVolume(_ volume: Volume) { dispatcher.dispatch(.setVolume(volume)) }

  /// Plays so many percent louder, or softer where negative.
  public func changeVolume(by percent: Int) { dispatcher.dispatch(.changeVolume(by: percent)) }

  /// Makes tracks louder or softer by these rules.
  public func setReplayGain(_ settings: ReplayGainSettings) { dispatcher.dispatch(.setReplayGain(settings)) }

  /// Has tracks fade into each other like this.
  public func setCrossfade(_ crossfade: Crossfade) { dispatcher.dispatch(.setCrossfade(crossfade)) }

  /// Keeps what clients ask for of MixRamp.
  public func setMixRamp(_ settings: MixRampSettings) { dispatcher.dispatch(.setMixRamp(settings)) }

  /// Lets sound go to the output, or not: then playing waits, and the device is closed.
  public func enableOutput(_ isOn: Bool) { dispatcher.dispatch(.enableOutput(isOn)) }

  /// Stops by itself then; with `nil`, not.
  public func sleep(_ timer: SleepTimer?) { dispatcher.dispatch(.sleep(timer)) }

  /// Says no more why the output failed.
  public func dismissError() { dispatcher.dispatch(.dismissError) }
}
