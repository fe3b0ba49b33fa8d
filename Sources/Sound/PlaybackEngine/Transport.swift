import AudioCore

/// Decides what the engine does: a pure state machine that is told of commands and reports, and gives the effects to
/// perform.
///
/// Every command that breaks with what plays raises the *generation*; what is decoded for an older one is dropped, and
/// what is reported of it is ignored.
struct Transport {
  /// What can happen.
  enum Input: Sendable {
    case play(PlaybackSource, at: Duration, isPaused: Bool = false)
    /// `word` is its number, see ``NextTrackGate``.
    case follow(PlaybackSource.ID, with: PlaybackSource?, Transition, word: UInt64)
    case pause
    /// Pause, and close a device.
    case release
    case resume
    case stop
    case seek(SeekTarget)
    /// The source with this id, if it plays, is to be made louder or softer.
    case setGain(PlaybackSource.ID, SourceGain)
    case decoding(PlaybackSource.ID, generation: UInt64)
    case decodingFailed(PlaybackSource.ID, DecodingError, generation: UInt64)
    case endedEarly(PlaybackSource.ID, DecodingError, generation: UInt64)
    /// Something else follows a source whose end is mixed with what was to follow it.
    case mustRestart(generation: UInt64)
    case rendering(RenderReport)
    case outputOpened(OpenedOutput)
    /// The device took another shape than the stream's; this is the first frame that is to be converted.
    case outputTakesOther(FrameOrigin, generation: UInt64)
    case outputFailed(OutputError, generation: UInt64)
    /// The output has been in one call for a while, as one may be that takes sound in large pieces.
    case outputBlocks
    case outputStalled(Bool)
    /// The render thread was given up while it was stuck in the device.
    case outputGivenUp
    /// Some time has passed.
    case tick
    /// What was waited for is over.
    case timeOut(Wait)
    case quit

    /// Whether something was wrong with a source.
    var isTrouble: Bool {
      switch self {
      case .decodingFailed, .endedEarly: true
      default: false
      }
    }
  }

  /// What can be waited for.
  enum Wait: Sendable, Hashable {
    /// Time to open the output again.
    case reopening
    /// The pause has lasted.
    case lasting
  }

  /// What is to be done, in this order.
  enum Effect: Equatable {
    case drop(olderThan: UInt64)
    case decode(DecodeCommand)
    case render(RenderTarget)
    case report(EngineEvent)
    /// Give the input `timeOut` after so long, instead of when it was asked for before.
    case wait(Wait, Duration)
  }

  /// For how many ticks in a row nothing comes of a source before that is told: behind its end a device may take some
  /// time.
  private static let stillLimit = 3
  /// How long a device has to play before its next failure counts as the first.
  private static let outageOver = Duration.seconds(1)

  /// How often a device may go so early that is asked for a rate of the user's: it may not have it.
  private static let vainLimit = 2

  private let pausesOnLoss: Bool
  /// The rate that the user wants for all that is played, in Hz.
  private let fixedRate: Int?
  /// How long a pause has to last for the device to be closed.
  private let lastingPause: Duration
  private var phase = EngineEvent.Phase.stopped
  private var generation: UInt64 = 0
  /// What is heard, or was commanded to be heard next.
  private var current: PlaybackSource?
  private var duration: Duration?
  /// What was announced to follow the current source.
  private var following: [PlaybackSource] = []
  /// The source of which it was asked last what follows it. It is asked once: another answer would take back what was
  /// decoded.
  private var askedSource: PlaybackSource.ID?
  /// The current source, where what follows it was stated before that was asked in this generation: the answer to a
  /// question of the generation before came late, and holds.
  private var answeredSource: PlaybackSource.ID?
  private var position = Duration.zero
  /// The second of the position that was told last, if nothing has happened since: nobody is shown less than a second.
  private var toldSecond: Int64?
  /// Whether a frame of this generation has been heard, so that its position is known from the output.
  private var isHeard = false
  /// Whether the output that was opened last is a device, which may go and come back.
  private var isDevice = false
  /// Whether it stays open in a pause, however long that is.
  private var isKeptInPause = false
  private var outage: ReopenBackoff?
  /// Whether the device went, and was not tried again since.
  private var isDown = false
  /// Whether it was told that the device went, and no output has been opened since.
  private var isLossTold = false
  /// Where playing went on after the outage.
  private var outageEnd = Duration.zero
  private var isStalled = false
  /// Whether the output has been in one call for a while.
  private var isBlocked = false
  /// How often in a row an output was opened and went before anything was heard.
  private var vainOpenings = 0
  /// The position at the last tick.
  private var tickedPosition = Duration.zero
  /// At how many ticks in a row nothing had come of the source.
  private var stillCount = 0
  /// Whether it was told that nothing comes of it.
  private var isStarved = false

  /// Nothing plays.
  init(settings: EngineSettings = EngineSettings()) {
    pausesOnLoss = settings.pausesOnLoss
    fixedRate = settings.sampleRate
    lastingPause = .milliseconds(settings.patience.pause)
  }

  /// Whether `tick` is of use.
  var isTicking: Bool { phase == .playing }

  /// The generation of what plays.
  var presentGeneration: UInt64 { generation }

  /// The effects of `input`. `heard` is how far the output is.
  mutating func handle(_ input: Input, heard: HeardPosition? = nil) -> [Effect] {
    if isHeard, let heard, heard.generation == generation, heard.source == current?.id {
      position = heard.position
    }
    switch input {
    case .play(let source, let start, let isPaused):
      current = source
      duration = nil
      let place = max(.zero, start)
      return restart(at: place, phase: isPaused ? .paused : .playing)
        + (isPaused ? [.report(.position(source.id, place))] + waitWhilePaused : [])
    case .follow(let id, let source, let transition, let word):
      if let source { following.append(source) }
      if askedSource == nil, id == current?.id { answeredSource = id }
      return [.decode(.follow(id, with: source, transition, word: word))]
    case .pause:
      guard phase == .playing else { return [] }
      phase = .paused
      let place: [Effect] = isHeard ? current.map { [.report(.position($0.id, position))] } ?? [] : []
      return [.render(.hold)] + place + [.report(.changed(.paused))] + waitWhilePaused
    case .release:
      guard phase != .stopped else { return [] }
      return handle(.pause, heard: heard) + (isDevice ? [.render(.close)] : [])
    case .resume:
      guard phase == .paused else { return [] }
      if isDown { return restart(at: position, phase: .playing) }
      phase = .playing
      toldSecond = nil
      return [.render(.run), .report(.changed(.playing))]
    case .stop:
      guard phase != .stopped else { return [] }
      return stop(reporting: .changed(.stopped))
    case .seek(let target):
      return seek(target)
    case .setGain(let id, let gain):
      return setGain(gain, of: id, at: writtenPlace(heard))
    case .decoding(let id, let generation):
      guard generation == self.generation else { return [] }
      return ask(after: id)
    case .decodingFailed(let id, let error, let generation):
      guard generation == self.generation else { return [] }
      return [.report(.failed(id, error))] + (askedSource == id ? [] : ask(after: id))
    case .endedEarly(let id, let error, let generation):
      return generation == self.generation ? [.report(.endedEarly(id, error))] : []
    case .mustRestart(let generation):
      guard generation == self.generation, phase != .stopped else { return [] }
      return restart(at: writtenPlace(heard) ?? position, phase: phase)
    case .rendering(let report):
      return report.generation == generation ? handle(report) : []
    case .outputOpened(let output):
      isDevice = output.isDevice
      isKeptInPause = output.isKeptInPause
      isBlocked = false
      vainOpenings += 1
      isLossTold = false
      return [.report(output.event)] + unstall() + waitWhilePaused
    case .outputTakesOther(let origin, let generation):
      guard generation == self.generation, phase != .stopped else { return [] }
      guard makeCurrent(origin.source) else { return [] }
      return restart(at: origin.format.duration(ofFrames: origin.frame), phase: phase)
    case .outputFailed(let error, let generation):
      return outputFailed(error, generation)
    case .outputBlocks:
      isBlocked = true
      return []
    case .outputStalled(let isStalled):
      isBlocked = isStalled
      guard isStalled != self.isStalled, phase != .stopped else { return [] }
      self.isStalled = isStalled
      toldSecond = nil
      return [.report(.outputStalled(isStalled))]
    case .outputGivenUp:
      return outputFailed(OutputError(kind: .lost, description: "the output takes no more sound"), generation)
    case .tick:
      guard isTicking, let current else { return [] }
      let starved = lookForSound()
      guard isHeard else { return starved }
      if position >= outageEnd + Self.outageOver { outage = nil }
      guard position.components.seconds != toldSecond else { return starved }
      toldSecond = position.components.seconds
      return [.report(.position(current.id, position))] + starved
    case .timeOut(.reopening):
      guard isDown, phase == .playing else { return [] }
      return restart(at: position, phase: .playing)
    case .timeOut(.lasting):
      return phase == .paused ? [.render(.close)] : []
    case .quit:
      generation += 1
      phase = .stopped
      return [.drop(olderThan: generation), .decode(.quit), .render(.quit)]
    }
  }

  /// Tells when nothing comes of the source: it is not open yet, or its position stands still, though the output is
  /// fine.
  private mutating func lookForSound() -> [Effect] {
    let isStill = isHeard ? position == tickedPosition : askedSource == nil
    tickedPosition = position
    stillCount = isStill && !isStalled && !isBlocked && !isDown ? stillCount + 1 : 0
    let isStarved = stillCount >= Self.stillLimit
    guard isStarved != self.isStarved else { return [] }
    self.isStarved = isStarved
    return [.report(.inputStalled(isStarved))]
  }

  /// Has the device closed once the pause has lasted.
  private var waitWhilePaused: [Effect] {
    phase == .paused && isDevice && !isKeptInPause ? [.wait(.lasting, lastingPause)] : []
  }

  private mutating func handle(_ report: RenderReport) -> [Effect] {
    switch report.kind {
    case .started(let stream):
      guard let origin = report.origin, makeCurrent(origin.source) else { return [] }
      isHeard = true
      vainOpenings = 0
      toldSecond = nil
      duration = origin.frameCount.map { origin.format.duration(ofFrames: $0) }
      position = origin.format.duration(ofFrames: origin.frame)
      return [
        .report(
          .started(
            origin.source, format: origin.format, stream: stream, duration: duration, bitRate: origin.bitRate)
        ),
        .report(.position(origin.source, position)),
      ]
    case .held:
      guard let origin = report.origin, origin.source == current?.id else { return [] }
      position = origin.format.duration(ofFrames: origin.frame)
      return [.report(.position(origin.source, position))]
    case .drained:
      return stop(reporting: .finished)
    case .news:
      return []
    }
  }

  /// Asks what follows a source, unless that was answered already.
  private mutating func ask(after id: PlaybackSource.ID) -> [Effect] {
    askedSource = id
    return answeredSource == id ? [] : [.report(.needsNext(after: id))]
  }

  /// Makes the source current, which is so already or follows; `false` where it does neither.
  private mutating func makeCurrent(_ source: PlaybackSource.ID) -> Bool {
    guard source != current?.id else { return true }
    guard let index = following.firstIndex(where: { $0.id == source }) else { return false }
    current = following[index]
    following.removeSubrange(...index)
    outageEnd = .zero
    return true
  }

  /// How much of the current source the output has taken.
  private func writtenPlace(_ heard: HeardPosition?) -> Duration? {
    heard?.generation == generation && heard?.source == current?.id ? heard?.written : nil
  }

  private mutating func seek(_ target: SeekTarget) -> [Effect] {
    guard phase != .stopped, let current else { return [] }
    let place = target.place(from: position, within: duration)
    return restart(at: place, phase: phase) + [.report(.position(current.id, place))]
  }

  /// The device goes on with what it holds: so the new gain begins behind that.
  private mutating func setGain(
    _ gain: SourceGain, of id: PlaybackSource.ID, at place: Duration?
  ) -> [Effect] {
    guard phase != .stopped, let current, current.id == id, current.gain != gain else { return [] }
    self.current?.gain = gain
    return restart(at: place ?? position, phase: phase)
  }

  /// Begins a new generation with the current source; what was to follow is asked for again.
  private mutating func restart(at place: Duration, phase: EngineEvent.Phase) -> [Effect] {
    guard let current else { return [] }
    generation += 1
    following = []
    askedSource = nil
    answeredSource = nil
    isHeard = false
    toldSecond = nil
    position = place
    outageEnd = place
    isDown = false
    stillCount = 0
    isStarved = false
    let changed: [Effect] = phase == self.phase ? [] : [.report(.changed(phase))]
    self.phase = phase
    return [
      .drop(olderThan: generation),
      .decode(.start(current, at: place, generation: generation)),
      .render(phase == .paused ? .hold : .run),
    ] + changed
  }

  private mutating func stop(reporting event: EngineEvent) -> [Effect] {
    generation += 1
    phase = .stopped
    current = nil
    following = []
    askedSource = nil
    answeredSource = nil
    outage = nil
    isDown = false
    isLossTold = false
    isStalled = false
    (isBlocked, vainOpenings) = (false, 0)
    stillCount = 0
    isStarved = false
    return [.drop(olderThan: generation), .decode(.stop), .render(.close), .report(event)]
  }

  // MARK: The device goes

  /// A device that was open once is waited for; what never opened, or is a file, ends playing.
  private mutating func outputFailed(_ error: OutputError, _ generation: UInt64) -> [Effect] {
    guard generation == self.generation || phase == .stopped else { return [] }
    guard isDevice, phase != .stopped, error.kind == .lost || error.kind == .cannotOpen, current != nil else {
      return stop(reporting: .outputFailed(error))
    }
    if let fixedRate, error.kind == .lost, vainOpenings >= Self.vainLimit {
      return stop(
        reporting: .outputFailed(
          OutputError(
            kind: .unsupportedFormat,
            description:
              "\(error.description) It went twice before anything was heard: it may not play at \(fixedRate) Hz")))
    }
    let place: [Effect] = isHeard ? current.map { [.report(.position($0.id, position))] } ?? [] : []
    self.generation += 1
    isHeard = false
    following = []
    askedSource = nil
    answeredSource = nil
    var outage = self.outage ?? ReopenBackoff()
    let pause = outage.nextPause()
    self.outage = outage
    isDown = true
    var effects: [Effect] = [.drop(olderThan: self.generation), .decode(.stop)] + unstall() + place
    if !isLossTold { effects += [.report(.outputLost(error))] }
    isLossTold = true
    if phase == .playing, !pausesOnLoss { return effects + [.wait(.reopening, pause)] }
    if phase == .playing {
      phase = .paused
      effects += [.render(.hold), .report(.changed(.paused))]
    }
    return effects
  }

  private mutating func unstall() -> [Effect] {
    defer { isStalled = false }
    return isStalled ? [.report(.outputStalled(false))] : []
  }
}
