// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel

/// The state of playback: what is playing, the position, and any problems. A pure value.
public struct PlaybackState: Sendable, Equatable {
  /// The phase of playback.
  public enum Phase: String, Sendable, Codable {
    /// Nothing is playing.
    case stopped
    /// Audio is being played on the output, or is about to be.
    case playing
    case paused
  }

  /// The maximum number of problems to store; older ones are removed.
  private static let problemLimit = 100
  /// The maximum number of started items to store; older ones are removed.
  private static let startedLimit = 32

  /// What playback should do, as last requested.
  private var activity = Activity.stopped(.ordinary, isOver: false)
  /// The item that is playing, or that played last; `nil` if there was none.
  private var playedItem: PlayedItem?
  private var lastText: SourceText?
  private var progress = Progress.halted
  /// The formats and the gain with which the item that started last reaches the output; `nil` if there was none.
  private(set) var signalPath: SignalPath?
  private var device = Device.closed
  /// The phase that the engine has confirmed last.
  private(set) var enginePhase = Phase.stopped
  /// The ReplayGain settings.
  public private(set) var replayGain = ReplayGainSettings()
  /// The crossfade settings.
  public private(set) var crossfade = Crossfade.off
  /// The MixRamp settings of clients, which have no effect.
  public private(set) var mixRamp = MixRampSettings()
  /// The sleep timer; `nil` if none is set.
  public private(set) var sleep: SleepTimer?
  /// The number of underruns so far.
  public private(set) var underrunCount = 0
  public private(set) var volume = Volume.full
  /// The speed at which files are played. Streams are played at the normal one.
  public private(set) var speed = PlaybackSpeed.normal
  /// The profiles of the equaliser and the levels of crossfeed, and the output that plays.
  public private(set) var equaliser = EqualiserState()
  /// The warning with which the output was opened; `nil` if there was none.
  private var openingWarning: String?
  /// What has become of the last output that was chosen while the player was running.
  public private(set) var outputSwitch = OutputSwitch()
  /// Whether the output is enabled. While it is disabled, nothing plays and the device is closed.
  public private(set) var isOutputEnabled = true
  /// The tap; `nil` if there is none.
  public private(set) var tap: Tap?
  /// Whether the user wanted to play something while the output was disabled. Cleared when the output is enabled.
  public private(set) var isOutputNeeded = false
  /// Whether the device currently accepts no samples.
  public private(set) var isOutputStalled = false
  /// Whether the current or requested item currently produces no sound, because its disk or its server does not
  /// respond.
  public private(set) var isInputStalled = false
  /// Why the server of the current or requested item is to be connected to again; `nil` if it is not.
  public private(set) var connectionFailure: String?
  /// The error with which the output failed; `nil` if it did not, or something has played since.
  public private(set) var outputError: OutputError?
  /// The number of times that the output has failed.
  public private(set) var outputFailureCount = 0
  /// The number of times that the device was lost.
  public private(set) var outputLossCount = 0
  /// The items that could not be played, or not to their end, newest last.
  public private(set) var problems: [Problem] = []
  /// The number of times that an item has started. Seeking does not count.
  public private(set) var startedCount = 0
  /// The items that started most recently, newest last, so that a client that polls misses none.
  public private(set) var startedItems: [PlayQueue.Item.ID] = []
  /// The number of times that the end of the queue was reached.
  public private(set) var finishedCount = 0
  /// The passage of ``item`` that is repeated; `nil` if none is.
  public private(set) var loop: Loop?
  /// The last item that resumed where it was left; `nil` if none has.
  public private(set) var resumption: Resumption?
  /// The number of seeks so far.
  public private(set) var seekCount: UInt64 = 0

  public init() {}

  /// A warning for the user about the output; `nil` if there is none.
  public var warning: String? {
    openingWarning ?? outputSwitch.failure.map { "\($0.description) (the output has not changed)" }
  }

  /// Applies `action`; returns whether the state changed.
  public mutating func reduce(_ action: PlaybackAction) -> Bool {
    // Positions are frequent, and comparing the whole state would dominate their cost.
    if case .report(.position(let item, let position)) = action { return move(item, to: position) }
    let before = self
    switch action {
    case .setVolume(let volume): self.volume = volume
    case .changeVolume(let percent): volume = volume.changed(by: percent)
    case .setSpeed(let speed): self.speed = speed
    case .changeSpeed(let difference): speed = speed.changed(by: difference)
    case .setReplayGain(let settings): replayGain = settings
    case .setCrossfade(let crossfade): self.crossfade = crossfade
    case .nameOutput(let name): equaliser.output = name
    case .setEqualisers(let profiles, let crossfeeds):
      (equaliser.profiles, equaliser.crossfeeds) = (profiles, crossfeeds)
    case .bypassEqualiser(let isBypassed): equaliser.isBypassed = isBypassed
    case .setMixRamp(let settings): mixRamp = settings
    case .enableOutput(let isOn):
      isOutputNeeded = !isOn && (isOutputNeeded || phase == .playing)
      isOutputEnabled = isOn
      if !isOn { activity.setPaused(true) }
    case .openTap(let name): tap = Tap(name: name)
    case .enableTap(let isOn): tap?.isEnabled = isOn
    case .sleep(let timer): sleep = timer
    case .dismissError:
      (outputError, isOutputNeeded) = (nil, false)
      if unplayableError != nil { activity = .stopped(.ordinary, isOver: true) }
    case .report(let report): reduce(report)
    case .seek(let target) where phase != .stopped:
      seekCount += 1
      progress = .pending
      if let request = activity.request {
        activity.request?.position = target.position(from: request.position, within: request.duration)
      } else {
        let wanted = target.position(from: position, within: duration)
        playedItem?.position = wanted
      }
    case .pause: activity.setPaused(true)
    case .pauseWithoutOutput:
      activity.setPaused(true)
      outputSwitch.pauseCount += 1
    case .toggle where phase == .playing: activity.setPaused(true)
    case .resume where phase == .paused, .toggle where phase == .paused:
      if isOutputEnabled { activity.setPaused(false) } else { isOutputNeeded = true }
    case .stop(let rewinds):
      if !rewinds, isInterrupted { activity = .stopped(.ordinary, isOver: isOver) }
      requestStop(rewinds ? .interrupted : .ordinary)
    case .resume, .toggle, .interrupt, .next, .previous, .back, .seek, .chapter, .loop, .fadeOut, .reopenOutput: break
    }
    return self != before
  }

  /// Returns whether this state differs from `earlier` only in the position, and in no value that depends on it.
  public func differsOnlyInPosition(from earlier: PlaybackState) -> Bool {
    var expected = earlier
    expected.playedItem?.position = playedItem?.position ?? .zero
    return expected == self && isCrossfading == earlier.isCrossfading
  }

  /// Returns whether this state is what `earlier` becomes by ordinary progress in the time `passed`: only the position
  /// has advanced, by about that time. It may be up to 200 ms ahead, but only 30 ms behind, so that the elapsed time on
  /// display never exceeds what was played.
  func isExpected(after earlier: PlaybackState, _ passed: Duration) -> Bool {
    // A file may be longer than it states.
    let (new, old) = (playedItem?.position ?? .zero, earlier.playedItem?.position ?? .zero)
    let distance = new - (old + (isAdvancing ? playedSpeed.music(within: passed) : .zero))
    return distance < .milliseconds(200) && distance > .milliseconds(-30) && differsOnlyInPosition(from: earlier)
  }

  private mutating func reduce(_ report: PlaybackReport) {
    switch report {
    case .requested(let item, let isPaused, let start, let duration):
      if !isOutputEnabled { isOutputNeeded = true }
      activity = .requested(
        RequestedItem(position: start, duration: duration), isPaused: isPaused || !isOutputEnabled)
      let position = item == self.item ? start : .zero
      playedItem?.position = position
      progress = .pending
      isInputStalled = false
      connectionFailure = nil
      loop = nil
    case .looped(let loop): self.loop = loop
    case .resumed(let item, let position):
      activity.request?.position = position
      if item == self.item { playedItem?.position = position }
      resumption = Resumption(number: (resumption?.number ?? 0) + 1, item: item, position: position)
    case .repeated:
      activity.request = RequestedItem(position: .zero, duration: duration)
      progress = .pending
    case .stopRequested(let byEdit):
      requestStop(byEdit ? .interrupted : .ordinary)
    case .started(
      let item, let format, let stream, let gain, let duration, let crossfade, let encoding, let part, let speed):
      let wasRequested = hasRequest
      let isNew = item != self.item || wasRequested
      if isNew {
        startedCount += 1
        startedItems.append(item)
        if startedItems.count > Self.startedLimit { startedItems.removeFirst() }
      }
      let start = activity.request?.position ?? .zero
      activity.start()
      playedItem = PlayedItem(
        id: item, position: !isNew ? position : start == .zero ? part.start : start, duration: duration,
        encoding: encoding, part: part)
      if isNew { lastText = nil }
      if !wasRequested, isNew { loop = nil }
      progress = .advancing
      isInputStalled = false
      // The items are mixed only if the stream continues in the same format. An item fades in over the first half of
      // what is played of it at most.
      let previousStream = signalPath?.stream
      let isSameStream =
        stream.sampleRate == previousStream?.sampleRate && stream.channels == previousStream?.channels
        && !stream.isDSD && previousStream?.isDSD == false
      let mixedBeginning = isSameStream ? min(crossfade, playedLength.map { $0 / 2 } ?? crossfade) : .zero
      signalPath = SignalPath(
        format: format, stream: stream, gain: gain, speed: speed, mixedBeginning: mixedBeginning)
    case .seekPending: progress = .pending
    case .text(let item, let text):
      if item == self.item, !hasRequest { lastText = text }
    case .gainChanged(let item, let gain):
      if item == self.item, !hasRequest { signalPath?.gain = gain }
    case .speedChanged(let item, let speed):
      if item == self.item, !hasRequest { signalPath?.speed = speed }
    case .waiting:
      activity.request?.isWaiting = true
    case .position(let item, let position): _ = move(item, to: position)
    case .changed(.stopped):
      end()
    case .changed(let phase):
      if self.phase == .stopped { activity = .started(isPaused: false) }
      activity.setPaused(phase == .paused)
      confirm(phase)
    case .confirmed(let phase): confirm(phase)
    case .failed(let item, let error): add(item, error, isSkipped: true)
    case .endedEarly(let item, let error): add(item, error, isSkipped: false)
    case .finished:
      let error = hasRequest ? problems.last?.error : nil
      if error == nil { finishedCount += 1 }
      end(error.map { .unplayable($0) } ?? .ordinary)
    case .outputOpened(let output, let warning):
      device = .open(output)
      openingWarning = warning
    case .outputChosen(let failure, let preferred):
      outputSwitch.count += 1
      (outputSwitch.failure, outputSwitch.preferred) = (failure, preferred)
    case .outputsFollowed(let isFollowed): outputSwitch.isFollowed = isFollowed
    case .underruns(let count):
      underrunCount = count
    case .outputLost(let error):
      device = .lost(error)
      outputLossCount += 1
      progress = .pending
    case .outputStalled(let isStalled):
      isOutputStalled = isStalled
      if isStalled { halt() }
    case .connectionFailed(let reason): connectionFailure = reason
    case .inputStalled(let isStalled):
      isInputStalled = isStalled
      if isStalled { halt() }
    case .outputFailed(let error, let isLast):
      outputError = error
      outputFailureCount += 1
      if isLast { end() } else { closeOutput() }
    }
  }

  /// Sets the position of `item`; returns whether the state changed.
  private mutating func move(_ item: PlayQueue.Item.ID, to position: Duration) -> Bool {
    // Until the requested item has started, the engine reports positions of the previous one.
    if hasRequest, phase == .playing { return false }
    // The same applies after a seek.
    if progress == .pending, !hasRequest, item == self.item, outputLoss == nil { return false }
    let before = (playedItem, progress)
    // The duration and bit rate belong to the previous item's file.
    if item != self.item {
      playedItem = PlayedItem(id: item, position: position)
      lastText = nil
    }
    playedItem?.position = position
    if progress != .pending {
      progress = enginePhase == .playing && !isOutputStalled && !isInputStalled ? .advancing : .halted
    }
    return before != (playedItem, progress)
  }

  /// Holds the position until the engine reports one again.
  private mutating func halt() {
    if progress == .advancing { progress = .halted }
  }

  private mutating func add(_ item: PlayQueue.Item.ID, _ error: DecodingError, isSkipped: Bool) {
    let number = (problems.last?.number ?? 0) + 1
    problems.append(Problem(number: number, item: item, error: error, isSkipped: isSkipped))
    if problems.count > Self.problemLimit { problems.removeFirst() }
  }

  /// Records that the engine is executing the request.
  private mutating func confirm(_ phase: Phase) {
    enginePhase = phase
    if phase != .paused { activity.request?.isWaiting = false }
    halt()
    if phase == .playing { outputError = nil }
  }

  /// Records that nothing should play any more.
  private mutating func requestStop(_ reason: StopReason) {
    if phase != .stopped { activity = .stopped(reason, isOver: false) }
    loop = nil
  }

  /// Records that the engine has stopped, and nothing else has been requested since.
  private mutating func end(_ reason: StopReason = .ordinary) {
    requestStop(reason)
    closeOutput()
    if case .stopped(let reason, _) = activity { activity = .stopped(reason, isOver: true) }
    playedItem?.position = .zero
  }

  private mutating func closeOutput() {
    enginePhase = .stopped
    activity.request?.isWaiting = false
    device = .closed
    sleep = nil
    isOutputStalled = false
    isInputStalled = false
    connectionFailure = nil
    halt()
  }
}

/// Values that are derived from the stored parts of the state.
extension PlaybackState {
  /// The phase of playback, as last requested; the engine may not have followed yet.
  public var phase: Phase { activity.phase }
  /// Whether an item was requested and has not started yet.
  public var hasRequest: Bool { activity.request != nil }
  /// The position at which the requested item will start; zero if there is none.
  public var requestedPosition: Duration { activity.request?.position ?? .zero }
  /// Whether an item was played to its end, and playback waits before the next one until the user resumes it.
  public var isWaiting: Bool { activity.request?.isWaiting ?? false }
  /// Whether playback has ended or was stopped, and nothing has been requested since.
  public var isOver: Bool { if case .stopped(_, isOver: true) = activity { true } else { false } }
  /// Whether a client stopped playback, or an edit left nothing to play. In both cases a later edit or client may
  /// resume it.
  public var isInterrupted: Bool { if case .stopped(.interrupted, _) = activity { true } else { false } }
  /// The reason why nothing that was last requested could be played: the error of the last item that was tried; `nil`
  /// if there is none. The next request clears it.
  public var unplayableError: DecodingError? {
    if case .stopped(.unplayable(let error), _) = activity { error } else { nil }
  }

  /// The ID of the item that is playing, or that played last; `nil` if there was none.
  public var item: PlayQueue.Item.ID? { playedItem?.id }
  /// The elapsed time of ``item``, never more than its ``duration``.
  public var position: Duration { limited(playedItem?.position ?? .zero) }
  /// The length of ``item`` as its file states it or, if it does not, its tags; `nil` if neither does.
  public var duration: Duration? { playedItem?.duration }
  /// The part of ``item`` that is played if the user does not seek.
  public var part: PlayedPart { playedItem?.part ?? PlayedPart() }
  /// The position at which ``item`` ends; `nil` if it is not known.
  public var playedEnd: Duration? { part.end ?? duration }
  /// How long ``item`` lasts without the silence that is skipped; `nil` if it is not known.
  public var playedLength: Duration? { playedEnd.map { $0 - part.start } }
  func limited(_ position: Duration) -> Duration { min(position, duration ?? position) }
  /// The average bit rate of ``item`` in its file, in bits per second; `nil` if it is not known.
  public var bitRate: Int? { playedItem?.encoding.bitRate }
  /// The library that decodes ``item``; `nil` if it is not known.
  public var library: DecodingLibrary? { playedItem?.encoding.library }
  /// The name of the codec of ``item``; `nil` if it is not known.
  public var codec: CodecName? { playedItem?.encoding.codec }
  /// Whether a seek can succeed, as far as is known. In a stream, that depends on the server.
  public var isSeekable: Bool { hasRequest || playedItem?.encoding.isSeekable ?? true }
  /// The item to which ``duration``, ``format`` and the like belong: ``item``, unless another one was requested and has
  /// not started yet.
  public var openItem: PlayQueue.Item.ID? { hasRequest ? nil : item }
  /// What ``openItem`` says of what is audible: a stream of itself, a file of its chapter; `nil` if it says nothing, or
  /// nothing is playing.
  public var sourceText: SourceText? { phase == .stopped || hasRequest ? nil : lastText }
  /// The chapters of ``openItem``, in the order of their beginnings; empty if it has none, or they are not known yet.
  public var chapters: [SourceChapter] { sourceText?.chapters ?? [] }
  /// Returns what the stream of `item` says, if that is what plays; `nil` for a file.
  public func sourceText(of item: PlayQueue.Item) -> SourceText? { item.id == self.item ? sourceText : nil }
  /// Whether ``item`` is audible and ``position`` advances: not before its first frame, nor while the output accepts no
  /// samples.
  public var isAdvancing: Bool { progress == .advancing }
  /// The format of ``item``; `nil` if nothing has played.
  public var format: AudioFormat? {
    // With optional chaining, the optimizer of Swift 6.3 fails when it inlines this.
    signalPath.map { $0.format }
  }
  /// The gain that ReplayGain applies to ``item``.
  public var gain: ReplayGainDecision { signalPath?.gain ?? .off }
  /// The speed at which ``item`` is played.
  public var playedSpeed: PlaybackSpeed { signalPath?.speed ?? .normal }
  /// Whether the previous item is still fading out; as exact as ``position``.
  var isCrossfading: Bool { position - part.start < (signalPath?.mixedBeginning ?? .zero) }

  /// The open output; `nil` if none is open.
  public var output: Output? { if case .open(let output) = device { output } else { nil } }
  /// The reason why the device was lost; `nil` if it was not, or is back.
  public var outputLoss: OutputError? { if case .lost(let error) = device { error } else { nil } }
}
