public import AudioCore
public import MusicModel

/// What plays, how far it is, and what went wrong: a pure value.
public struct PlaybackState: Sendable, Equatable {
  /// Whether something plays.
  public enum Phase: Sendable, Hashable {
    /// Nothing plays.
    case stopped
    /// Sound goes to the output.
    case playing
    /// Playing waits.
    case paused
  }

  /// Where the sound goes.
  public struct Output: Sendable, Hashable {
    /// The name of the driver or file.
    public let name: String
    /// The format in which it takes samples.
    public let format: DeviceFormat
    /// How long what it has taken waits to be heard at most.
    public let latency: Duration

    /// An output with these properties.
    public init(name: String, format: DeviceFormat, latency: Duration) {
      self.name = name
      self.format = format
      self.latency = latency
    }
  }

  /// An item that could not be played, or not to its end.
  public struct Problem: Sendable, Hashable {
    /// The number of the problem, from 1, in the order in which they occurred.
    public let number: Int
    /// Which item.
    public let item: PlayQueue.Item.ID
    /// Why.
    public let error: DecodingError
    /// Whether nothing of it was played.
    public let isSkipped: Bool
  }

  /// How many problems are kept: the newest ones.
  private static let problemLimit = 100
  /// How many items that were begun are kept.
  private static let startedLimit = 32

  /// What is to be heard, as was asked for last.
  private var activity = Activity.stopped(.ordinary, isOver: false)
  /// The item that is heard, or was heard last.
  private var heard: HeardItem?
  private var progress = Progress.halted
  /// How what began last comes to the output.
  private(set) var signalPath: SignalPath?
  private var device = Device.closed
  /// Whether the engine plays something, as it has confirmed last.
  private(set) var enginePhase = Phase.stopped
  /// By which rules ReplayGain makes an item louder or softer.
  public private(set) var replayGain = ReplayGainSettings()
  /// How tracks fade into each other.
  public private(set) var crossfade = Crossfade.off
  /// What clients ask for of MixRamp.
  public private(set) var mixRamp = MixRampSettings()
  /// When playing stops by itself.
  public private(set) var sleep: SleepTimer?
  /// How often the device was left without sound.
  public private(set) var underrunCount = 0
  /// How loud it is.
  public private(set) var volume = Volume.full
  /// What the user should know of the output.
  public private(set) var warning: String?
  /// Whether sound may go to the output: where it may not, nothing plays, and the device is closed.
  public private(set) var isOutputEnabled = true
  /// Whether something was to be heard while it might not, until it may again.
  public private(set) var isOutputMissed = false
  /// Whether the device takes no sound at present.
  public private(set) var isOutputStalled = false
  /// Whether no sound comes of what plays, or is about to: its file cannot be read at present.
  public private(set) var isInputStalled = false
  /// Why the output failed, until something plays again.
  public private(set) var outputError: OutputError?
  /// How often the output failed.
  public private(set) var outputFailureCount = 0
  /// How often the device went.
  public private(set) var outputLossCount = 0
  /// The items that could not be played, or not to their end, the newest last.
  public private(set) var problems: [Problem] = []
  /// How often an item was begun; a seek does not count.
  public private(set) var startedCount = 0
  /// The items that were begun last, the newest last: whoever looks now and then misses none.
  public private(set) var startedItems: [PlayQueue.Item.ID] = []
  /// How often another place of what plays was asked for.
  public private(set) var seekCount: UInt64 = 0

  /// Nothing plays, and nothing ever did.
  public init() {}

  /// The state after `action`; gives whether it changed.
  public mutating func reduce(_ action: PlaybackAction) -> Bool {
    // It comes again and again: to compare the whole would take most of the time.
    if case .report(.position(let item, let position)) = action { return move(item, to: position) }
    let before = self
    switch action {
    case .setVolume(let volume): self.volume = volume
    case .changeVolume(let percent): volume = volume.changed(by: percent)
    case .setReplayGain(let settings): replayGain = settings
    case .setCrossfade(let crossfade): self.crossfade = crossfade
    case .setMixRamp(let settings): mixRamp = settings
    case .enableOutput(let isOn):
      isOutputMissed = !isOn && (isOutputMissed || phase == .playing)
      isOutputEnabled = isOn
      if !isOn { activity.setPaused(true) }
    case .sleep(let timer): sleep = timer
    case .dismissError:
      (outputError, isOutputMissed) = (nil, false)
      if vainError != nil { activity = .stopped(.ordinary, isOver: true) }
    case .report(let report): reduce(report)
    case .seek(let target) where phase != .stopped:
      seekCount += 1
      progress = .ahead
      if let request = activity.request {
        activity.request?.place = target.place(from: request.place, within: request.duration)
      } else if let heard {
        self.heard?.position = target.place(from: heard.position, within: heard.duration)
      }
    case .pause: activity.setPaused(true)
    case .toggle where phase == .playing: activity.setPaused(true)
    case .resume where phase == .paused, .toggle where phase == .paused:
      if isOutputEnabled { activity.setPaused(false) } else { isOutputMissed = true }
    case .stop(let rewinds):
      if !rewinds, isInterrupted { activity = .stopped(.ordinary, isOver: isOver) }
      silence(rewinds ? .interrupted : .ordinary)
    case .resume, .toggle, .next, .previous, .back, .seek, .fadeOut: break
    }
    return self != before
  }

  /// Whether nothing but the position is another than in `earlier`, nor anything that depends on it.
  public func hasMerelyMoved(from earlier: PlaybackState) -> Bool {
    var expected = earlier
    expected.heard?.position = position
    return expected == self && isCrossfading == earlier.isCrossfading
  }

  /// Whether this is what `earlier` becomes by itself after so long: only the position has moved on, about as much, and
  /// hardly less: nobody shall be shown more than was heard.
  func isExpected(after earlier: PlaybackState, _ passed: Duration) -> Bool {
    let distance = position - (earlier.position + (isHeard ? passed : .zero))
    return distance < .milliseconds(200) && distance > .milliseconds(-30) && hasMerelyMoved(from: earlier)
  }

  private mutating func reduce(_ report: PlaybackReport) {
    switch report {
    case .requested(let item, let isPaused, let place, let duration):
      if !isOutputEnabled { isOutputMissed = true }
      activity = .requested(
        RequestedItem(place: place, duration: duration), isPaused: isPaused || !isOutputEnabled)
      let position = item == self.item ? place : .zero
      heard?.position = position
      progress = .ahead
      isInputStalled = false
    case .repeated:
      activity.request = RequestedItem(place: .zero, duration: duration)
      progress = .ahead
    case .silenced(let byEdit):
      silence(byEdit ? .interrupted : .ordinary)
    case .started(let item, let format, let stream, let gain, let duration, let crossfade, let bitRate):
      let isNew = item != self.item || isAwaited
      if isNew {
        startedCount += 1
        startedItems.append(item)
        if startedItems.count > Self.startedLimit { startedItems.removeFirst() }
      }
      activity.begin()
      heard = HeardItem(id: item, position: isNew ? .zero : position, duration: duration, bitRate: bitRate)
      progress = .moving
      isInputStalled = false
      // Only where the stream goes on it is mixed, and an item fades in over its first half at most.
      let before = signalPath?.stream
      let goesOn = stream.sampleRate == before?.sampleRate && stream.channels == before?.channels
      let mixedBeginning = goesOn ? min(crossfade, duration.map { $0 / 2 } ?? crossfade) : .zero
      signalPath = SignalPath(format: format, stream: stream, gain: gain, mixedBeginning: mixedBeginning)
    case .gainChanged(let item, let gain):
      if item == self.item, !isAwaited { signalPath?.gain = gain }
    case .waiting:
      activity.request?.isWaiting = true
    case .position(let item, let position): _ = move(item, to: position)
    case .changed(.stopped):
      end()
    case .changed(let phase):
      if self.phase == .stopped { activity = .begun(isPaused: false) }
      activity.setPaused(phase == .paused)
      confirm(phase)
    case .confirmed(let phase): confirm(phase)
    case .failed(let item, let error): add(item, error, isSkipped: true)
    case .endedEarly(let item, let error): add(item, error, isSkipped: false)
    case .finished:
      let error = isAwaited ? problems.last?.error : nil
      end(error.map { .unplayable($0) } ?? .ordinary)
    case .outputOpened(let output, let warning):
      device = .open(output)
      self.warning = warning
    case .underruns(let count):
      underrunCount = count
    case .outputLost(let error):
      device = .lost(error)
      outputLossCount += 1
      progress = .ahead
    case .outputStalled(let isStalled):
      isOutputStalled = isStalled
      if isStalled { halt() }
    case .inputStalled(let isStalled):
      isInputStalled = isStalled
      if isStalled { halt() }
    case .outputFailed(let error, let isLast):
      outputError = error
      outputFailureCount += 1
      if isLast { end() } else { closeOutput() }
    }
  }

  /// So much of `item` was heard; gives whether that changes anything.
  private mutating func move(_ item: PlayQueue.Item.ID, to position: Duration) -> Bool {
    // What is about to be heard is not the item before it begins, and what the engine tells of the one before is old.
    if isAwaited, phase == .playing { return false }
    // So it is behind a seek.
    if progress == .ahead, !isAwaited, item == self.item, outputLoss == nil { return false }
    let before = (heard, progress)
    // What is known of the file of another item is not of this one.
    if item != self.item { heard = HeardItem(id: item, position: position) }
    heard?.position = position
    if progress != .ahead {
      progress = enginePhase == .playing && !isOutputStalled && !isInputStalled ? .moving : .halted
    }
    return before != (heard, progress)
  }

  /// The position stays where it is, until the engine reports one again.
  private mutating func halt() {
    if progress == .moving { progress = .halted }
  }

  private mutating func add(_ item: PlayQueue.Item.ID, _ error: DecodingError, isSkipped: Bool) {
    let number = (problems.last?.number ?? 0) + 1
    problems.append(Problem(number: number, item: item, error: error, isSkipped: isSkipped))
    if problems.count > Self.problemLimit { problems.removeFirst() }
  }

  /// The engine does what was asked for.
  private mutating func confirm(_ phase: Phase) {
    enginePhase = phase
    if phase != .paused { activity.request?.isWaiting = false }
    halt()
    if phase == .playing { outputError = nil }
  }

  /// Nothing is to be heard any more.
  private mutating func silence(_ reason: StopReason) {
    if phase != .stopped { activity = .stopped(reason, isOver: false) }
  }

  /// The engine has stopped, and nothing else was asked for since.
  private mutating func end(_ reason: StopReason = .ordinary) {
    silence(reason)
    closeOutput()
    if case .stopped(let reason, _) = activity { activity = .stopped(reason, isOver: true) }
    heard?.position = .zero
  }

  private mutating func closeOutput() {
    enginePhase = .stopped
    activity.request?.isWaiting = false
    device = .closed
    sleep = nil
    isOutputStalled = false
    isInputStalled = false
    halt()
  }
}

/// What the parts of the state say of what plays.
extension PlaybackState {
  /// Whether something plays: as the user has asked for last, though the engine may still be about it.
  public var phase: Phase { activity.phase }
  /// Whether something was asked for that has not begun yet.
  public var isAwaited: Bool { activity.request != nil }
  /// How far into its item what is awaited is to begin.
  public var awaitedPlace: Duration { activity.request?.place ?? .zero }
  /// Whether an item was heard to its end, and playing waits before the next until somebody has it go on.
  public var isWaiting: Bool { activity.request?.isWaiting ?? false }
  /// Whether the queue was played to its end, or stopped, since something was last asked to play.
  public var isOver: Bool { if case .stopped(_, isOver: true) = activity { true } else { false } }
  /// Whether a client stopped it, or an edit that left nothing to play; either may resume it.
  public var isInterrupted: Bool { if case .stopped(.interrupted, _) = activity { true } else { false } }
  /// Why nothing was heard of what was asked for last, until something else is asked for: what could not be played
  /// last.
  public var vainError: DecodingError? { if case .stopped(.unplayable(let error), _) = activity { error } else { nil } }

  /// The item that is heard, or was heard last.
  public var item: PlayQueue.Item.ID? { heard?.id }
  /// How much of the item has been heard.
  public var position: Duration { heard?.position ?? .zero }
  /// How long the item lasts, as far as its file says.
  public var duration: Duration? { heard?.duration }
  /// How many bits a second the item takes in its file, on the average, where that is known.
  public var bitRate: Int? { heard?.bitRate }
  /// Whether the item is heard and ``position`` moves on: not before its first frame, nor while the output takes no
  /// sound.
  public var isHeard: Bool { progress == .moving }
  /// The format of the item.
  public var format: AudioFormat? {
    // With optional chaining, the optimizer of Swift 6.3 fails where it inlines this.
    signalPath.map { $0.format }
  }
  /// By how much ReplayGain makes the item louder or softer.
  public var gain: ReplayGainDecision { signalPath?.gain ?? .off }
  /// Whether the item before fades out meanwhile; as exact as ``position``.
  var isCrossfading: Bool { position < (signalPath?.mixedBeginning ?? .zero) }

  /// Where the sound goes, as long as it goes anywhere.
  public var output: Output? { if case .open(let output) = device { output } else { nil } }
  /// Why the device went, until it is back.
  public var outputLoss: OutputError? { if case .lost(let error) = device { error } else { nil } }
}
