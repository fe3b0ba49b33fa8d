// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The state machine that decides what the engine does. It performs nothing itself: it receives commands and reports,
/// and returns the effects to perform.
///
/// Every command that interrupts playback raises the *generation*; blocks of an older one are dropped, and reports of
/// it are ignored.
struct Transport {
  /// An input of the state machine: a command, a report or an event.
  enum Input: Sendable {
    case play(PlaybackSource, at: Duration, isPaused: Bool = false)
    /// Sets the next track; `word` is the sequence number of the command (see ``NextTrackGate``).
    case follow(PlaybackSource.ID, with: PlaybackSource?, Transition, word: UInt64)
    case pause
    /// Pauses, and closes the output if it is a device.
    case release
    case resume
    case stop
    case seek(SeekTarget)
    /// Changes the gain of the source with this ID, if it is playing.
    case setGain(PlaybackSource.ID, SourceGain)
    case decoding(PlaybackSource.ID, generation: UInt64)
    case decodingFailed(PlaybackSource.ID, DecodingError, generation: UInt64)
    case endedEarly(PlaybackSource.ID, DecodingError, generation: UInt64)
    /// The next track has changed, but the end of the source before it was mixed with the earlier next track.
    case mustRestart(generation: UInt64)
    case rendering(RenderReport)
    case outputOpened(OpenedOutput)
    /// The device was opened in another shape than the stream's; this is the first frame to be converted.
    case outputTakesOther(FrameOrigin, generation: UInt64)
    case outputFailed(OutputError, generation: UInt64)
    /// The output has been in one call for a while. That is normal if it accepts audio in large blocks.
    case outputBlocks
    case outputStalled(Bool)
    /// The render thread was abandoned because it was stuck in the device.
    case outputGivenUp
    /// A tick of the clock during playback.
    case tick
    /// The timer that was set with `Effect.wait` is due.
    case timeOut(Wait)
    case quit

    /// Whether the input is an error of a source.
    var isTrouble: Bool {
      switch self {
      case .decodingFailed, .endedEarly: true
      default: false
      }
    }
  }

  /// A timer of the state machine.
  enum Wait: Sendable, Hashable {
    /// The back-off delay before the output is reopened.
    case reopening
    /// The delay during a pause until the device is closed.
    case lasting
  }

  /// An effect for the control loop to perform, in order.
  enum Effect: Equatable {
    case drop(olderThan: UInt64)
    case decode(DecodeCommand)
    case render(RenderTarget)
    case report(EngineEvent)
    /// Sets a timer: delivers the input `timeOut` after this duration. Replaces the same timer if it is set.
    case wait(Wait, Duration)
  }

  /// The number of consecutive ticks without audio after which a source counts as stalled: at its end, a device may
  /// take some time.
  private static let stillLimit = 3
  /// How long a device must play before its next failure counts as a new outage.
  private static let outageOver = Duration.seconds(1)

  /// The number of device losses without any playback after which a sample rate that the user has fixed counts as
  /// unsupported.
  private static let vainLimit = 2

  private let pausesOnLoss: Bool
  /// The sample rate that the user has set for everything, in Hz; `nil` if there is none.
  private let fixedRate: Int?
  /// The length of a pause after which the device is closed.
  private let lastingPause: Duration
  private var phase = EngineEvent.Phase.stopped
  private var generation: UInt64 = 0
  /// The source that is audible, or that was commanded to be played next; `nil` if stopped.
  private var current: PlaybackSource?
  private var duration: Duration?
  /// The next tracks after the current source, as far as they have been set.
  private var following: [PlaybackSource] = []
  /// The source whose next track was requested last. It is requested only once: another answer would revoke what was
  /// decoded.
  private var askedSource: PlaybackSource.ID?
  /// The current source, if its next track was set in this generation before it was requested: a late answer to a
  /// request of the previous generation is still valid.
  private var answeredSource: PlaybackSource.ID?
  private var position = Duration.zero
  /// The last whole second of the position that was reported, which suppresses duplicate updates; `nil` after other
  /// events.
  private var toldSecond: Int64?
  /// Whether a frame of this generation has been audible, so that the output knows its position.
  private var isHeard = false
  /// Whether the last output is a device, which may be lost and come back.
  private var isDevice = false
  /// Whether the output stays open during a pause, however long.
  private var isKeptInPause = false
  private var outage: ReopenBackoff?
  /// Whether the device was lost, and has not been reopened since.
  private var isDown = false
  /// Whether the loss of the device was reported, and no output has been opened since.
  private var isLossTold = false
  /// The position at which playback resumed after the last outage.
  private var outageEnd = Duration.zero
  private var isStalled = false
  /// Whether the output has been in one call for a while.
  private var isBlocked = false
  /// The number of consecutive times that an output was opened and lost before anything was audible.
  private var vainOpenings = 0
  /// The position at the last tick.
  private var tickedPosition = Duration.zero
  /// The number of consecutive ticks without audio from the source.
  private var stillCount = 0
  /// Whether the source was reported as stalled.
  private var isStarved = false

  /// Creates a transport that is stopped.
  init(settings: EngineSettings = EngineSettings()) {
    pausesOnLoss = settings.pausesOnLoss
    fixedRate = settings.sampleRate
    lastingPause = .milliseconds(settings.patience.pause)
  }

  /// Whether the transport needs `tick` inputs.
  var isTicking: Bool { phase == .playing }

  /// The current generation.
  var presentGeneration: UInt64 { generation }

  /// Handles `input` and returns the effects to perform. `heard` is the audible position; `nil` if there is none.
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
      return outputFailed(OutputError(kind: .lost, description: "the output is not responding"), generation)
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

  /// Reports when a source stalls or continues. It is stalled if it is not open, or does not advance while the output
  /// works.
  private mutating func lookForSound() -> [Effect] {
    let isStill = isHeard ? position == tickedPosition : askedSource == nil
    tickedPosition = position
    stillCount = isStill && !isStalled && !isBlocked && !isDown ? stillCount + 1 : 0
    let isStarved = stillCount >= Self.stillLimit
    guard isStarved != self.isStarved else { return [] }
    self.isStarved = isStarved
    return [.report(.inputStalled(isStarved))]
  }

  /// The effect that closes a device once the pause has lasted long enough; empty if it does not apply.
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

  /// Requests the next track after a source, unless it is already known.
  private mutating func ask(after id: PlaybackSource.ID) -> [Effect] {
    askedSource = id
    return answeredSource == id ? [] : [.report(.needsNext(after: id))]
  }

  /// Makes `source` the current one if it is the current source or one of the next tracks; returns `false` if it is
  /// neither.
  private mutating func makeCurrent(_ source: PlaybackSource.ID) -> Bool {
    guard source != current?.id else { return true }
    guard let index = following.firstIndex(where: { $0.id == source }) else { return false }
    current = following[index]
    following.removeSubrange(...index)
    outageEnd = .zero
    return true
  }

  /// Returns the position up to which the current source was written to the output.
  private func writtenPlace(_ heard: HeardPosition?) -> Duration? {
    heard?.generation == generation && heard?.source == current?.id ? heard?.written : nil
  }

  private mutating func seek(_ target: SeekTarget) -> [Effect] {
    guard phase != .stopped, let current else { return [] }
    let place = target.place(from: position, within: duration)
    return restart(at: place, phase: phase) + [.report(.position(current.id, place))]
  }

  /// Restarts after the audio that was already written, since the device plays that anyway; the new gain begins after
  /// it.
  private mutating func setGain(
    _ gain: SourceGain, of id: PlaybackSource.ID, at place: Duration?
  ) -> [Effect] {
    guard phase != .stopped, let current, current.id == id, current.gain != gain else { return [] }
    self.current?.gain = gain
    return restart(at: place ?? position, phase: phase)
  }

  /// Starts a new generation with the current source at `place`; the next track is requested again.
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

  // MARK: Device loss

  /// Handles a failure of the output: reopens a device that was open; otherwise stops playback.
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
              "\(error.description) (twice before anything was played); it may not support \(fixedRate) Hz")))
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
