// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Equalising
import Flux
public import MusicModel
public import Platform

/// Dispatches the user's requests as actions: the only way from a view into the flow. Can be used from any thread.
public struct PlayerActionCreator: Sendable {
  let dispatcher: QueueDispatcher

  /// Creates an action creator for `dispatcher`.
  public init(dispatcher: QueueDispatcher) { self.dispatcher = dispatcher }

  /// Blocks until every action dispatched so far has reached all subscribers, even if another thread delivers it; at
  /// most until `deadline`, if there is one.
  ///
  /// Call it on a thread outside of the cooperative pool, and never in a subscriber.
  public func awaitDelivery(until deadline: MonotonicInstant? = nil) {
    let latch = Latch()
    dispatcher.afterDelivery { latch.open() }
    if let deadline { _ = latch.wait(until: deadline) } else { latch.wait() }
  }

  /// Pauses playback.
  public func pause() { dispatcher.dispatch(.pause) }

  /// Resumes after a pause. When stopped, plays the current item from the position where it was stopped.
  public func resume() { dispatcher.dispatch(.resume) }

  /// Pauses while playing, resumes otherwise.
  public func toggle() { dispatcher.dispatch(.toggle) }

  /// Stops and closes the output. The current item stays current. Resuming plays it from this position or, if `rewinds`
  /// is set, from its beginning.
  public func stop(rewinds: Bool = false) { dispatcher.dispatch(.stop(rewinds: rewinds)) }

  /// Plays the next item.
  public func next() { dispatcher.dispatch(.next) }

  /// Plays the previous item, or restarts the current one if more than its first few seconds have played.
  public func previous() { dispatcher.dispatch(.previous) }

  /// Plays the previous item, however far the current one has played.
  public func goBack() { dispatcher.dispatch(.back) }

  /// Seeks within the current item.
  public func seek(_ target: SeekTarget) { dispatcher.dispatch(.seek(target)) }

  /// Goes to a chapter of the current item.
  public func goToChapter(_ target: ChapterTarget) { dispatcher.dispatch(.chapter(target)) }

  /// Repeats a passage of the current item, or ends that.
  public func loop(_ request: LoopRequest) { dispatcher.dispatch(.loop(request)) }

  public func setVolume(_ volume: Volume) { dispatcher.dispatch(.setVolume(volume)) }

  /// Changes the volume by `percent` percentage points.
  public func changeVolume(by percent: Int) { dispatcher.dispatch(.changeVolume(by: percent)) }

  public func setSpeed(_ speed: PlaybackSpeed) { dispatcher.dispatch(.setSpeed(speed)) }

  /// Changes the speed by `difference`, at most to the slowest or the fastest.
  public func changeSpeed(by difference: Double) { dispatcher.dispatch(.changeSpeed(by: difference)) }

  /// Sets the ReplayGain mode and its options.
  public func setReplayGain(_ settings: ReplayGainSettings) { dispatcher.dispatch(.setReplayGain(settings)) }

  /// Sets the crossfade between tracks.
  public func setCrossfade(_ crossfade: Crossfade) { dispatcher.dispatch(.setCrossfade(crossfade)) }

  /// Reports the name of the output that plays.
  public func nameOutput(_ name: String) { dispatcher.dispatch(.nameOutput(name)) }

  /// Sets the profiles of the equaliser and the levels of crossfeed, by the names of the outputs to which they belong.
  public func setEqualisers(_ profiles: [String: NamedEqualiser], crossfeeds: [String: Crossfeed]) {
    dispatcher.dispatch(.setEqualisers(profiles, crossfeeds: crossfeeds))
  }

  /// Bypasses the equaliser and the crossfeed, or applies them again.
  public func bypassEqualiser(_ isBypassed: Bool) { dispatcher.dispatch(.bypassEqualiser(isBypassed)) }

  /// Stores the MixRamp settings of clients.
  public func setMixRamp(_ settings: MixRampSettings) { dispatcher.dispatch(.setMixRamp(settings)) }

  /// Closes the output, and opens the one that is chosen by now, where playback continues.
  public func reopenOutput() { dispatcher.dispatch(.reopenOutput) }

  /// Pauses, if something is playing, because none of the preferred outputs is available.
  public func pauseWithoutOutput() { dispatcher.dispatch(.pauseWithoutOutput) }

  /// Reports whether another output of a list is used soon, or playback pauses, if the output is lost.
  public func followOutputs(_ isFollowed: Bool) { dispatcher.dispatch(.report(.outputsFollowed(isFollowed))) }

  /// Enables or disables the output. While it is disabled, playback is paused and the device is closed.
  public func enableOutput(_ isOn: Bool) { dispatcher.dispatch(.enableOutput(isOn)) }

  /// Enables or disables the tap.
  public func enableTap(_ isOn: Bool) { dispatcher.dispatch(.enableTap(isOn)) }

  /// Sets the sleep timer, or cancels it with `nil`.
  public func sleep(_ timer: SleepTimer?) { dispatcher.dispatch(.sleep(timer)) }

  /// Clears the output error.
  public func dismissError() { dispatcher.dispatch(.dismissError) }
}

/// Requests that concern the queue. `QueueAction` describes each of them. A request that does not apply has no effect.
extension PlayerActionCreator {
  /// Limits the playback of an item to the part from `start` to `end`, or to the end of the item if `end` is `nil`.
  public func setRange(_ item: PlayQueue.Item.ID, from start: Duration, to end: Duration?) {
    dispatcher.dispatch(.setRange(item, from: start, to: end))
  }

  /// Replaces the queue with `collection` and plays it from the track at index `item`; if `item` is `nil`, only loads
  /// it.
  public func enqueue(_ collection: TrackCollection, item: Int?) {
    dispatcher.dispatch(.enqueue(collection, item: item))
  }

  // MARK: Edits

  /// Adds the tracks of `collection` to the queue at `point`.
  public func add(_ collection: TrackCollection, at point: QueueInsertionPoint) {
    dispatcher.dispatch(.add(collection, at: point))
  }

  /// Removes these items. If the current one is among them, the item that takes its position is played instead.
  public func remove(_ selection: QueueSelection) { dispatcher.dispatch(.remove(selection)) }

  /// Moves these items together, so that the first of them ends up at position `to`.
  public func move(_ selection: QueueSelection, to position: Int) {
    dispatcher.dispatch(.move(selection, to: position))
  }

  public func swap(_ item: PlayQueue.Item.ID, _ other: PlayQueue.Item.ID) { dispatcher.dispatch(.swap(item, other)) }

  /// Removes all items, which stops playback.
  public func clear() { dispatcher.dispatch(.clear) }

  /// Removes all items except these; if `selection` is `nil`, all except the current one.
  public func crop(to selection: QueueSelection? = nil) { dispatcher.dispatch(.crop(selection)) }

  /// Removes duplicates: of items with the same track, only the current one stays, or else the first.
  public func dedupe() { dispatcher.dispatch(.dedupe) }

  /// Shuffles these items with a random seed; all items if `selection` is `nil`.
  public func shuffle(
    _ selection: QueueSelection? = nil, by unit: ShuffleUnit = .tracks, first: PlayQueue.Item.ID? = nil
  ) {
    dispatcher.dispatch(.shuffle(selection, by: unit, seed: Self.seed, first: first))
  }

  /// Sorts these items by `key`; all items if `selection` is `nil`.
  public func sort(_ selection: QueueSelection? = nil, by key: QueueSortKey, descending: Bool = false) {
    dispatcher.dispatch(.sort(selection, by: key, descending: descending))
  }

  /// Sets the priority of these items, from 0 to 255. In random mode, items of higher priority are played first.
  public func prioritise(_ selection: QueueSelection, _ priority: UInt8) {
    dispatcher.dispatch(.prioritise(selection, priority))
  }

  /// Undoes this many edits.
  public func undo(steps: Int = 1) { dispatcher.dispatch(.undo(steps: steps)) }

  /// Redoes this many edits that were undone.
  public func redo(steps: Int = 1) { dispatcher.dispatch(.redo(steps: steps)) }

  // MARK: Named queues

  /// Makes the queue `name` current, which is stored in this form unless it was current before. Playback continues
  /// with that queue, at its own position.
  public func use(_ name: QueueName, _ stored: StoredQueue) { dispatcher.dispatch(.use(name, stored)) }

  /// Forgets a queue that is not current, because it is deleted.
  public func forget(_ name: QueueName) { dispatcher.dispatch(.forget(name)) }

  // MARK: Modes

  public func setRepeat(_ mode: QueueModes.Repeat) { dispatcher.dispatch(.setRepeat(mode)) }

  /// Sets the random mode, with a random seed for the order. The current item continues to play.
  public func setRandom(_ mode: QueueModes.Random) { dispatcher.dispatch(.setRandom(mode, seed: Self.seed)) }

  /// Sets the single mode: whether playback pauses after every item, or once.
  public func setSingle(_ mode: QueueModes.Single) { dispatcher.dispatch(.setSingle(mode)) }

  /// Sets the consume mode: whether items are removed from the queue once they have been played. If `once` is set, only
  /// one item is removed.
  public func setConsume(_ isOn: Bool, once: Bool = false) { dispatcher.dispatch(.setConsume(isOn, once: once)) }

  /// Stops playback once, after the current item or album; `nil` cancels this.
  /// Adds tracks at the end, because of ``QueueModes/keepPlaying``.
  public func refill(_ collection: TrackCollection) { dispatcher.dispatch(.refill(collection)) }

  /// Sets the music that is added before the queue ends; `nil` for none.
  public func setKeepPlaying(_ music: KeepPlaying?) { dispatcher.dispatch(.setKeepPlaying(music)) }

  public func stopAfter(_ point: QueueModes.StopPoint?) { dispatcher.dispatch(.stopAfter(point)) }

  // MARK: Playing

  /// Plays this item, starting at `position`.
  public func play(_ id: PlayQueue.Item.ID, from position: Duration = .zero) {
    dispatcher.dispatch(.play(id, from: position))
  }

  private static var seed: UInt64 { .random(in: .min ... .max) }
}
