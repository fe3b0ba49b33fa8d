public import AudioCore
public import Flux
public import MusicModel
import Platform

/// Says what the user wants: the only way from a view into the flow. From any thread.
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

/// What the user wants of the queue; see `QueueAction` for what each of them does. What does not apply changes nothing.
extension PlayerActionCreator {
  /// Has no more be played of this item than what lies between these places; up to its end with `nil`.
  public func setRange(_ item: PlayQueue.Item.ID, from start: Duration, to end: Duration?) {
    dispatcher.dispatch(.setRange(item, from: start, to: end))
  }

  /// Makes `collection` the queue and plays it from the track at index `item`, or with `nil` only loads it.
  public func enqueue(_ collection: TrackCollection, item: Int?) {
    dispatcher.dispatch(.enqueue(collection, item: item))
  }

  // MARK: Edits

  /// Has the tracks of `collection` enter the queue at `place`.
  public func add(_ collection: TrackCollection, at place: QueuePlace) {
    dispatcher.dispatch(.add(collection, at: place))
  }

  /// Removes these items. Where the current one is among them, what takes its place is played instead.
  public func remove(_ selection: QueueSelection) { dispatcher.dispatch(.remove(selection)) }

  /// Moves these items together, so that the first of them is at position `to` afterwards.
  public func move(_ selection: QueueSelection, to position: Int) {
    dispatcher.dispatch(.move(selection, to: position))
  }

  /// Has the items at these positions change places.
  public func swap(_ position: Int, _ other: Int) { dispatcher.dispatch(.swap(position, other)) }

  /// Removes all items, which ends playing.
  public func clear() { dispatcher.dispatch(.clear) }

  /// Removes all items but these; with `nil`, all but the current one.
  public func crop(to selection: QueueSelection? = nil) { dispatcher.dispatch(.crop(selection)) }

  /// Removes items whose track stands in the queue already.
  public func dedupe() { dispatcher.dispatch(.dedupe) }

  /// Shuffles the items, or those at these positions, by a seed from the system's generator.
  public func shuffle(
    _ positions: Range<Int>? = nil, by unit: ShuffleUnit = .tracks, first: PlayQueue.Item.ID? = nil
  ) {
    dispatcher.dispatch(.shuffle(positions, by: unit, seed: Self.seed, first: first))
  }

  /// Sorts the items, or those at these positions.
  public func sort(_ positions: Range<Int>? = nil, by key: QueueSortKey, descending: Bool = false) {
    dispatcher.dispatch(.sort(positions, by: key, descending: descending))
  }

  /// Has these items be played before others under random: the higher the priority, 0 to 255, the earlier.
  public func prioritise(_ selection: QueueSelection, _ priority: UInt8) {
    dispatcher.dispatch(.prioritise(selection, priority))
  }

  /// Takes so many edits back.
  public func undo(steps: Int = 1) { dispatcher.dispatch(.undo(steps: steps)) }

  /// Makes so many edits again that were taken back.
  public func redo(steps: Int = 1) { dispatcher.dispatch(.redo(steps: steps)) }

  // MARK: Modes

  /// Says what comes behind the end.
  public func setRepeat(_ mode: QueueModes.Repeat) { dispatcher.dispatch(.setRepeat(mode)) }

  /// Says in which order the items are played, the shuffled ones by a seed from the system's generator. What plays goes
  /// on.
  public func setRandom(_ mode: QueueModes.Random) { dispatcher.dispatch(.setRandom(mode, seed: Self.seed)) }

  /// Says whether playing waits behind every item.
  public func setSingle(_ mode: QueueModes.Single) { dispatcher.dispatch(.setSingle(mode)) }

  /// Says whether items leave the queue once they were played.
  public func setConsume(_ isOn: Bool, once: Bool = false) { dispatcher.dispatch(.setConsume(isOn, once: once)) }

  /// Stops once behind the current item or album; with `nil`, not.
  public func stopAfter(_ point: QueueModes.StopPoint?) { dispatcher.dispatch(.stopAfter(point)) }

  // MARK: Playing

  /// Plays this item, from `place` on.
  public func play(_ id: PlayQueue.Item.ID, from place: Duration = .zero) {
    dispatcher.dispatch(.play(id, from: place))
  }

  private static var seed: UInt64 { .random(in: .min ... .max) }
}
