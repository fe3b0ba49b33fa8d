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
    /// Whether it is a device, and no file.
    public let isDevice: Bool
    /// How long what it has taken waits to be heard at most.
    public let latency: Duration

    /// An output with these properties.
    public init(name: String, format: DeviceFormat, isDevice: Bool, latency: Duration) {
      self.name = name
      self.format = format
      self.isDevice = isDevice
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

  /// Whether something plays: as the user has asked for last, though the engine may still be about it.
  public private(set) var phase = Phase.stopped
  /// Whether the engine plays something, as it has confirmed last.
  private(set) var enginePhase = Phase.stopped
  /// The item that is heard, or was heard last.
  public private(set) var item: PlayQueue.Item.ID?
  /// How much of the item has been heard.
  public private(set) var position = Duration.zero
  /// How long the item lasts, as far as its file says.
  public private(set) var duration: Duration?
  /// How many bits a second the item takes in its file, on the average, where that is known.
  public private(set) var bitRate: Int?
  /// Whether the item is heard and ``position`` moves on: not before its first frame, nor while the output takes no
  /// sound.
  public private(set) var isHeard = false
  /// The format of the item.
  public private(set) var format: AudioFormat?
  /// The format of the stream in which the item is heard.
  public private(set) var stream: AudioFormat?
  /// Where the sound goes, as long as it goes anywhere.
  public private(set) var output: Output?
  /// By how much ReplayGain makes the item louder or softer.
  public private(set) var gain = ReplayGainDecision.off
  /// By which rules it does so.
  public private(set) var replayGain = ReplayGainSettings()
  /// How tracks fade into each other.
  public private(set) var crossfade = Crossfade.off
  /// What clients ask for of MixRamp.
  public private(set) var mixRamp = MixRampSettings()
  /// Over how much of its beginning the item before fades out, at most.
  private var mixedBeginning = Duration.zero
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
  /// Why the device went, until it is back.
  public private(set) var outputLoss: OutputError?
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
  /// Why nothing was heard of what was asked for last, until something else is asked for: what could not be played
  /// last.
  public private(set) var vainError: DecodingError?
  /// Whether the queue was played to its end, or stopped, since something was last asked to play.
  public private(set) var isOver = false
  /// Whether it was stopped by a client, or by an edit that left nothing to play: whoever did so may have it go on.
  public private(set) var isInterrupted = false
  /// How often another place of what plays was asked for.
  public private(set) var seekCount: UInt64 = 0
  /// Whether an item was heard to its end, and playing waits before the next until somebody has it go on.
  public private(set) var isWaiting = false

  /// Whether something was asked for that has not begun yet.
  public private(set) var isAwaited = false
  /// How far into its item what is awaited is to begin.
  public private(set) var awaitedPlace = Duration.zero
  /// How long what is awaited lasts, as far as that is known.
  private var awaitedDuration: Duration?
  /// Whether the position is that of a place which is not heard yet.
  private var isPositionAhead = false

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
      if !isOn, phase == .playing { phase = .paused }
    case .sleep(let timer): sleep = timer
    case .dismissError: (outputError, vainError, isOutputMissed) = (nil, nil, false)
    case .report(let report): reduce(report)
    case .seek(let target) where phase != .stopped:
      seekCount += 1
      isHeard = false
      if isAwaited {
        awaitedPlace = target.place(from: awaitedPlace, within: awaitedDuration)
      } else {
        position = target.place(from: position, within: duration)
      }
      isPositionAhead = true
    case .pause where phase == .playing: phase = .paused
    case .resume where phase == .paused, .toggle where phase == .paused:
      if isOutputEnabled { phase = .playing } else { isOutputMissed = true }
    case .toggle where phase == .playing: phase = .paused
    case .stop(let rewinds):
      if !rewinds { isInterrupted = false }
      silence(isInterruption: rewinds)
    case .pause, .resume, .toggle, .next, .previous, .back, .seek, .fadeOut: break
    }
    return self != before
  }

  /// Whether the item before fades out meanwhile; as exact as ``position``.
  var isCrossfading: Bool { position < mixedBeginning }

  /// Whether nothing but the position is another than in `earlier`, nor anything that depends on it.
  public func hasMerelyMoved(from earlier: PlaybackState) -> Bool {
    var expected = earlier
    expected.position = position
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
      awaitedDuration = duration
      position = item == self.item ? place : .zero
      awaitedPlace = place
      if !isOutputEnabled { isOutputMissed = true }
      phase = isPaused || !isOutputEnabled ? .paused : .playing
      isOver = false
      isInterrupted = false
      isWaiting = false
      isAwaited = true
      isInputStalled = false
      vainError = nil
      isHeard = false
      isPositionAhead = true
    case .repeated:
      isAwaited = true
      awaitedDuration = duration
      isHeard = false
      isPositionAhead = true
    case .silenced(let byEdit):
      silence(isInterruption: byEdit)
    case .started(let item, let format, let stream, let gain, let duration, let crossfade, let bitRate):
      if item != self.item || isAwaited {
        startedCount += 1
        startedItems.append(item)
        if startedItems.count > Self.startedLimit { startedItems.removeFirst() }
        position = .zero
      }
      isAwaited = false
      isInputStalled = false
      isHeard = true
      isPositionAhead = false
      // Only where the stream goes on it is mixed, and an item fades in over its first half at most.
      let goesOn = stream.sampleRate == self.stream?.sampleRate && stream.channels == self.stream?.channels
      mixedBeginning = goesOn ? min(crossfade, duration.map { $0 / 2 } ?? crossfade) : .zero
      self.item = item
      self.format = format
      self.stream = stream
      self.gain = gain
      self.duration = duration
      self.bitRate = bitRate
    case .gainChanged(let item, let gain):
      if item == self.item, !isAwaited { self.gain = gain }
    case .waiting:
      isWaiting = true
    case .position(let item, let position): _ = move(item, to: position)
    case .changed(.stopped):
      end()
    case .changed(let phase):
      self.phase = phase
      confirm(phase)
    case .confirmed(let phase): confirm(phase)
    case .failed(let item, let error): add(item, error, isSkipped: true)
    case .endedEarly(let item, let error): add(item, error, isSkipped: false)
    case .finished:
      if isAwaited { vainError = problems.last?.error }
      end()
    case .outputOpened(let output, let warning):
      self.output = output
      self.warning = warning
      outputLoss = nil
    case .underruns(let count):
      underrunCount = count
    case .outputLost(let error):
      output = nil
      outputLoss = error
      outputLossCount += 1
      isHeard = false
      isPositionAhead = true
    case .outputStalled(let isStalled):
      isOutputStalled = isStalled
      if isStalled { isHeard = false }
    case .inputStalled(let isStalled):
      isInputStalled = isStalled
      if isStalled { isHeard = false }
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
    if isPositionAhead, !isAwaited, item == self.item, outputLoss == nil { return false }
    let before = (self.item, self.position, isHeard)
    // What is known of the file of another item is not of this one.
    if item != self.item { (duration, bitRate) = (nil, nil) }
    self.item = item
    self.position = position
    isHeard = enginePhase == .playing && !isPositionAhead && !isOutputStalled && !isInputStalled
    return before != (self.item, self.position, isHeard)
  }

  /// Nothing is to be heard any more.
  private mutating func silence(isInterruption: Bool) {
    guard phase != .stopped else { return }
    isInterrupted = isInterruption
    phase = .stopped
    isAwaited = false
  }

  private mutating func add(_ item: PlayQueue.Item.ID, _ error: DecodingError, isSkipped: Bool) {
    let number = (problems.last?.number ?? 0) + 1
    problems.append(Problem(number: number, item: item, error: error, isSkipped: isSkipped))
    if problems.count > Self.problemLimit { problems.removeFirst() }
  }

  /// The engine does what was asked for.
  private mutating func confirm(_ phase: Phase) {
    enginePhase = phase
    if phase != .paused { isWaiting = false }
    // It is heard again when its position says so.
    isHeard = false
    isOver = false
    if phase == .playing { outputError = nil }
  }

  /// The engine has stopped, and nothing else was asked for since.
  private mutating func end() {
    closeOutput()
    isAwaited = false
    isOver = true
    phase = .stopped
    position = .zero
  }

  private mutating func closeOutput() {
    enginePhase = .stopped
    isWaiting = false
    output = nil
    sleep = nil
    outputLoss = nil
    isOutputStalled = false
    isInputStalled = false
    isHeard = false
  }
}
