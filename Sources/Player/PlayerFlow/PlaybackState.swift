public import AudioCore
public import MusicModel

/// The state of playback: what is playing, the position, and what went wrong. A pure value.
public struct PlaybackState: Sendable, Equatable {
  /// The phase of playback.
  public enum Phase: Sendable, Hashable {
    /// Nothing is playing.
    case stopped
    /// Sound goes to the output.
    case playing
    /// Playback is paused.
    case paused
  }

  /// An open output.
  public struct Output: Sendable, Hashable {
    /// The name of the driver or file.
    public let name: String
    /// The sample format that the output accepts.
    public let format: DeviceFormat
    /// The longest time from writing a sample until it is heard.
    public let latency: Duration

    /// Creates an output with these properties.
    public init(name: String, format: DeviceFormat, latency: Duration) {
      self.name = name
      self.format = format
      self.latency = latency
    }
  }

  /// An item that could not be played, or not to its end.
  public struct Problem: Sendable, Hashable {
    /// The number of the problem, starting at 1, in order of occurrence.
    public let number: Int
    /// The id of the item.
    public let item: PlayQueue.Item.ID
    /// The error.
    public let error: DecodingError
    /// Whether the item was skipped entirely.
    public let isSkipped: Bool
  }

  /// The number of problems that are kept, the newest ones.
  private static let problemLimit = 100
  /// The number of started items that are kept.
  private static let startedLimit = 32

  /// What playback should do, as last requested.
  private var activity = Activity.stopped(.ordinary, isOver: false)
  /// The item that is playing, or played last.
  private var heard: HeardItem?
  /// The position at which the requested item should start; `nil` if none is requested that has not started yet.
  var requestedPosition: Duration? { activity.request?.place }
  private var progress = Progress.halted
  /// How the item that started last reaches the output.
  private(set) var signalPath: SignalPath?
  private var device = Device.closed
  /// Whether the engine is playing, as it has last confirmed.
  private(set) var enginePhase = Phase.stopped
  /// The ReplayGain settings.
  public private(set) var replayGain = ReplayGainSettings()
  /// The crossfade settings.
  public private(set) var crossfade = Crossfade.off
  /// The MixRamp settings of clients, which have no effect.
  public private(set) var mixRamp = MixRampSettings()
  /// The sleep timer, if one is set.
  public private(set) var sleep: SleepTimer?
  /// The number of underruns so far.
  public private(set) var underrunCount = 0
  /// The volume.
  public private(set) var volume = Volume.full
  /// A warning about the output for the user.
  public private(set) var warning: String?
  /// Whether the output is enabled. While it is disabled, nothing plays and the device is closed.
  public private(set) var isOutputEnabled = true
  /// Whether something was to be played while the output is disabled. Cleared when the output is enabled.
  public private(set) var isOutputMissed = false
  /// Whether the device currently accepts no samples.
  public private(set) var isOutputStalled = false
  /// Whether the current or requested item currently produces no sound because its file cannot be read.
  public private(set) var isInputStalled = false
  /// The error of the output if it failed, until something plays again.
  public private(set) var outputError: OutputError?
  /// The number of times that the output has failed.
  public private(set) var outputFailureCount = 0
  /// The number of times that the device was lost.
  public private(set) var outputLossCount = 0
  /// The items that could not be played, or not to their end, newest last.
  public private(set) var problems: [Problem] = []
  /// The number of times that an item has started. Seeking does not count.
  public private(set) var startedCount = 0
  /// The items that started most recently, newest last, so that a reader that polls misses none.
  public private(set) var startedItems: [PlayQueue.Item.ID] = []
  /// The number of seeks so far.
  public private(set) var seekCount: UInt64 = 0

  /// Creates the state before anything has played.
  public init() {}

  /// Applies `action`. Returns whether the state changed.
  public mutating func reduce(_ action: PlaybackAction) -> Bool {
    // Positions are frequent, and comparing the whole state would dominate their cost.
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

  /// Returns whether this state differs from `earlier` only in the position, and in nothing that depends on it.
  public func hasMerelyMoved(from earlier: PlaybackState) -> Bool {
    var expected = earlier
    expected.heard?.position = position
    return expected == self && isCrossfading == earlier.isCrossfading
  }

  /// Returns whether `earlier` has become this state by ordinary progress over `passed`: only the position has
  /// advanced, by about that time. It may be up to 200 ms ahead, but only 30 ms behind, so that no one is shown more
  /// than was heard.
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
      let start = activity.request?.place ?? .zero
      activity.begin()
      heard = HeardItem(id: item, position: isNew ? start : position, duration: duration, bitRate: bitRate)
      progress = .moving
      isInputStalled = false
      // The items are mixed only if the stream continues in the same format. An item fades in over at most its first
      // half.
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

  /// Sets the position of `item`. Returns whether the state changed.
  private mutating func move(_ item: PlayQueue.Item.ID, to position: Duration) -> Bool {
    // Until the requested item has started, the engine reports positions of the previous one.
    if isAwaited, phase == .playing { return false }
    // Likewise after a seek.
    if progress == .ahead, !isAwaited, item == self.item, outputLoss == nil { return false }
    let before = (heard, progress)
    // The duration and bit rate belong to the previous item's file.
    if item != self.item { heard = HeardItem(id: item, position: position) }
    heard?.position = position
    if progress != .ahead {
      progress = enginePhase == .playing && !isOutputStalled && !isInputStalled ? .moving : .halted
    }
    return before != (heard, progress)
  }

  /// Holds the position until the engine reports one again.
  private mutating func halt() {
    if progress == .moving { progress = .halted }
  }

  private mutating func add(_ item: PlayQueue.Item.ID, _ error: DecodingError, isSkipped: Bool) {
    let number = (problems.last?.number ?? 0) + 1
    problems.append(Problem(number: number, item: item, error: error, isSkipped: isSkipped))
    if problems.count > Self.problemLimit { problems.removeFirst() }
  }

  /// Records that the engine carries out what was requested.
  private mutating func confirm(_ phase: Phase) {
    enginePhase = phase
    if phase != .paused { activity.request?.isWaiting = false }
    halt()
    if phase == .playing { outputError = nil }
  }

  /// Records that nothing should play any more.
  private mutating func silence(_ reason: StopReason) {
    if phase != .stopped { activity = .stopped(reason, isOver: false) }
  }

  /// Records that the engine has stopped and nothing else was requested since.
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

/// Values that follow from the parts of the state.
extension PlaybackState {
  /// The phase of playback, as last requested. The engine may not have got there yet.
  public var phase: Phase { activity.phase }
  /// Whether an item was requested that has not started yet.
  public var isAwaited: Bool { activity.request != nil }
  /// The position at which the requested item starts.
  public var awaitedPlace: Duration { activity.request?.place ?? .zero }
  /// Whether an item was played to its end and playback waits before the next one until it is resumed.
  public var isWaiting: Bool { activity.request?.isWaiting ?? false }
  /// Whether the queue was played to its end, or stopped, since something was last requested.
  public var isOver: Bool { if case .stopped(_, isOver: true) = activity { true } else { false } }
  /// Whether a client stopped playback, or an edit left nothing to play. Either may resume it.
  public var isInterrupted: Bool { if case .stopped(.interrupted, _) = activity { true } else { false } }
  /// The reason why nothing was heard of the last request: the error of the last item that could not be played. Cleared
  /// by the next request.
  public var vainError: DecodingError? { if case .stopped(.unplayable(let error), _) = activity { error } else { nil } }

  /// The item that is playing, or played last.
  public var item: PlayQueue.Item.ID? { heard?.id }
  /// The elapsed time of the item.
  public var position: Duration { heard?.position ?? .zero }
  /// The length of the item as its file states it, if it does.
  public var duration: Duration? { heard?.duration }
  /// The average bit rate of the item in its file, in bits per second, if known.
  public var bitRate: Int? { heard?.bitRate }
  /// Whether the item is audible and ``position`` advances: not before its first frame, nor while the output accepts no
  /// samples.
  public var isHeard: Bool { progress == .moving }
  /// The format of the item.
  public var format: AudioFormat? {
    // With optional chaining, the optimizer of Swift 6.3 fails when it inlines this.
    signalPath.map { $0.format }
  }
  /// The gain that ReplayGain applies to the item.
  public var gain: ReplayGainDecision { signalPath?.gain ?? .off }
  /// Whether the previous item is still fading out; as exact as ``position``.
  var isCrossfading: Bool { position < (signalPath?.mixedBeginning ?? .zero) }

  /// The open output, if there is one.
  public var output: Output? { if case .open(let output) = device { output } else { nil } }
  /// The reason why the device was lost, until it is back.
  public var outputLoss: OutputError? { if case .lost(let error) = device { error } else { nil } }
}
