import AudioCore
public import MusicModel
import PlaybackEngine

/// How much of a source of the engine has been heard at some moment.
struct HeardSource: Sendable, Equatable {
  let source: PlaybackSource.ID
  let position: Duration
}

/// The queue, what plays of it, and what the engine is to play: a pure value in which every decision is made.
public struct PlayerState: Sendable {
  /// How far an item may have played for ``PlaybackAction/previous`` to mean the item before it.
  static let previousThreshold = Duration.seconds(3)

  /// The queue.
  public internal(set) var queue: PlayQueue
  /// What plays, how far it is, and what went wrong.
  public internal(set) var playback = PlaybackState()
  /// What the engine was given to play, and what it is still to be given.
  var plan = EnginePlan()
  /// Whether playing pauses when the device is lost.
  private(set) var pausesOnLoss = false
  /// What is to be done after the last action, in this order.
  var effects: [PlayerEffect] = []
  /// What is heard at the moment of the action.
  private var heardNow: HeardSource?

  /// Nothing plays, and nothing ever did.
  public init(_ queue: PlayQueue = PlayQueue()) { self.queue = queue }

  /// Reduces `action`, at a moment at which so much was `heard`; ``effects`` is what is to be done then. Returns
  /// whether the queue or playback changed.
  mutating func reduce(_ action: PlayerAction, heard: HeardSource?) -> Bool {
    effects = []
    heardNow = heard
    defer { heardNow = nil }
    // Positions come again and again: to compare all of the state would take most of the time.
    if case .engine(.position(let source, let position), _) = action {
      guard let item = plan.chain[source]?.item else { return false }
      return playback.reduce(.report(.position(item, position)))
    }
    let before = (version: queue.version, place: queue.heard, playback: playback)
    switch action {
    case .queue(let action): reduce(action)
    case .playback(let action): reduce(action)
    case .engine(let event, let commanded): reduce(event, commanded: commanded)
    case .replayGain(let found): reduce(found)
    case .noteHeard: noteHeard()
    case .begin(let pausesOnLoss): self.pausesOnLoss = pausesOnLoss
    }
    return before.version != queue.version || before.place != queue.heard || before.playback != playback
  }

  /// The elapsed time of `item`, where `heard` is what the engine says at this moment; `nil` where the item does not
  /// play, or has not begun.
  func heard(of item: PlayQueue.Item.ID, _ heard: HeardSource?) -> Duration? {
    guard playback.enginePhase != .stopped, playback.item == item, !playback.isAwaited else { return nil }
    guard playback.isHeard, let heard, plan.chain[heard.source]?.item == item else { return playback.position }
    return heard.position
  }

  /// The elapsed time of the current item; `nil` where it does not play.
  var heardOfCurrent: Duration? { queue.current.flatMap { heard(of: $0.id, heardNow) } }

  /// Notes in the queue how far its current item has played, where it does.
  mutating func noteHeard() {
    if let heard = heardOfCurrent { queue.reduce(.heard(heard)) }
  }

  // MARK: The queue

  private mutating func reduce(_ action: QueueAction) {
    if action.isEdit { noteHeard() }
    queue.reduce(action)
    switch action {
    case .enqueue:
      if let current = queue.current { play(current) } else { stopByEdit() }
    case .play(let id, _), .skipped(let id):
      if let current = queue.current, current.id == id { play(current) }
    case .availability(let gone, let back):
      // Items that the engine was not given make no difference; those that could not be played are skipped already.
      if !back.isEmpty || plan.chain.isToPlay(gone) { settle() }
    case .heard, .opened: break
    case .add, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise, .setRange, .undo, .redo,
      .setRepeat, .setRandom, .setSingle, .setConsume, .stopAfter, .recalled, .advanced, .waiting, .finished:
      settle()
    }
  }

  /// Brings the engine in line with the queue after an edit: what plays is left alone where it is still current.
  mutating func settle() {
    let item = plan.chain.item
    guard item != queue.current?.id else { return updateNext() }
    if item == nil {
      if plan.wasStoppedByEdit, let current = queue.current { play(current) }
    } else if let current = queue.current {
      play(current, isPaused: playback.phase == .paused)
    } else {
      stopByEdit()
    }
  }

  // MARK: Playing

  /// Plays `item`, which is current, from where the queue says it is to begin.
  mutating func play(_ item: PlayQueue.Item, isPaused: Bool = false) {
    let place = queue.heard
    let waits = isPaused || !playback.isOutputEnabled
    plan.wasStoppedByEdit = false
    plan.needsGain = false
    plan.chain.ask(for: item.id)
    plan.request = EnginePlan.Request(item: item, place: place, isPaused: waits)
    report(.requested(item.id, isPaused: waits, at: place, lasting: item.track.duration))
    playRequest()
  }

  /// Plays what was requested, as soon as its gain is known.
  mutating func playRequest() {
    guard let request = plan.request else { return }
    if playback.replayGain.mode != .off, plan.replayGain[request.item.id] == nil { lookUp([request.item]) }
    guard let gain = gain(of: request.item) else { return }
    plan.request = nil
    let source = plan.source(for: request.item, gain: gain)
    plan.chain.begin(
      SourceChain.Link(source: source.id, item: request.item.id, segment: source.segment, gain: gain))
    effects.append(.play(source, at: request.place, isPaused: request.isPaused))
  }

  /// Stops because nothing is current any more.
  mutating func stopByEdit() {
    forgetPlan(byEdit: playback.phase != .paused)
    silence(byEdit: true)
  }

  /// Stops what plays, as behind the last item.
  mutating func silence(byEdit: Bool) {
    report(.silenced(byEdit: byEdit))
    effects.append(.stop)
  }

  mutating func forgetPlan(byEdit: Bool) {
    plan.wasStoppedByEdit = byEdit && plan.chain.item != nil
    plan.chain.clear()
    plan.request = nil
  }

  mutating func report(_ report: PlaybackReport) { _ = playback.reduce(.report(report)) }

  // MARK: ReplayGain

  /// By how much `item` is made louder or softer; `nil` where its ReplayGain values are not known yet.
  func gain(of item: PlayQueue.Item) -> ReplayGainDecision? {
    let settings = playback.replayGain
    guard settings.mode != .off else { return .off }
    return plan.replayGain[item.id].map {
      settings.decision(for: $0, albumPlaysInOrder: queue.playsAlbumInOrder(item.id))
    }
  }

  /// Has the values of these items be known, and forgets those of all others.
  mutating func lookUp(_ items: [PlayQueue.Item]) {
    let wanted = Set(items.map(\.id))
    plan.replayGain = plan.replayGain.filter { wanted.contains($0.key) }
    let missing = items.filter { plan.replayGain[$0.id] == nil }
    guard missing.map(\.id) != plan.awaitedReplayGain else { return }
    plan.awaitedReplayGain = missing.map(\.id)
    if !missing.isEmpty { effects.append(.lookUpReplayGain(missing)) }
  }

  private mutating func reduce(_ found: [PlayQueue.Item.ID: ReplayGainTags]) {
    plan.replayGain.merge(found) { $1 }
    plan.awaitedReplayGain.removeAll { found.keys.contains($0) }
    playRequest()
    if plan.needsGain { changeGain() } else { updateNext() }
  }

  /// Makes what is heard as loud as the rules say now.
  mutating func changeGain() {
    if let link = plan.chain.links.first, let position = queue.position(of: link.item) {
      let item = queue.items[position]
      if playback.replayGain.mode != .off, plan.replayGain[item.id] == nil { lookUp([item]) }
      let gain = gain(of: item)
      plan.needsGain = gain == nil
      if let gain, gain != link.gain {
        plan.chain.setGain(gain)
        report(.gainChanged(item.id, gain))
        effects.append(.setGain(SourceGain(gain), of: link.source))
      }
    }
    updateNext()
  }
}

extension QueueAction {
  /// Whether it is an edit, which can be undone: the place in the current item is noted before it.
  fileprivate var isEdit: Bool {
    switch self {
    case .enqueue, .add, .remove, .move, .swap, .clear, .crop, .dedupe, .shuffle, .sort, .prioritise, .setRange, .undo,
      .redo:
      true
    case .setRepeat, .setRandom, .setSingle, .setConsume, .stopAfter, .play, .skipped, .advanced, .waiting, .finished,
      .heard, .opened, .recalled, .availability:
      false
    }
  }
}

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
