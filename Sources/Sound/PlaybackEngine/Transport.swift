// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// The state machine that decides what the engine does. It performs nothing itself: it receives commands and reports,
/// and returns the effects to perform.
///
/// Every command that interrupts playback raises the *generation*; blocks of an older one are dropped, and reports of
/// it are ignored.
struct Transport {
  /// The number of consecutive ticks without audio after which a source counts as stalled: a device may take some time
  /// to play the end of a source, and a server to find one and to send its first second.
  private static let stallLimit = (start: 6, playback: 3)
  /// How long a device must play before its next failure counts as a new outage.
  private static let recoveryTime = Duration.seconds(1)

  /// The number of device losses without any playback after which a sample rate that the user has fixed counts as
  /// unsupported.
  private static let failedOpeningLimit = 2

  private let pausesOnLoss: Bool
  /// The sample rate that the user has set for everything, in Hz; `nil` if there is none.
  private let fixedRate: Int?
  /// The length of a pause after which the device is closed.
  private let pauseLimit: Duration
  private var phase = EngineEvent.Phase.stopped
  private var generation: UInt64 = 0
  /// The source that is audible, or that was commanded to be played next; `nil` if stopped.
  private var current: PlaybackSource?
  private var duration: Duration?
  /// The next tracks after the current source, as far as they have been set.
  private var following = FollowingSources()
  /// The source whose next track was requested last. It is requested only once: another answer would revoke what was
  /// decoded.
  private var requestedSource: PlaybackSource.ID?
  /// The current source, if its next track was set in this generation before it was requested: a late answer to a
  /// request of the previous generation is still valid.
  private var presetSource: PlaybackSource.ID?
  private var position = Duration.zero
  /// The last whole second of the position that was reported, which suppresses duplicate updates; `nil` after other
  /// events.
  private var reportedSecond: Int64?
  /// Whether a frame of this generation has been audible, so that the position is that of the output.
  private var isAudible = false
  /// Whether the last output is a device, which may be lost and come back.
  private var isDevice = false
  /// Whether the output stays open during a pause, however long.
  private var staysOpenInPause = false
  private var outage: ReopenBackoff?
  /// Whether the device was lost, and has not been reopened since.
  private var isDeviceLost = false
  /// Whether the loss of the device was reported, and no output has been opened since.
  private var isLossReported = false
  /// The position at which playback resumed after the last outage.
  private var outageEnd = Duration.zero
  private var isStalled = false
  /// Whether the output has been in one call for a while.
  private var isBlocked = false
  /// The number of consecutive times that an output was opened and lost before anything was audible.
  private var failedOpenings = 0
  private var tickedPosition = Duration.zero
  /// What sources say of frames that are not audible yet.
  private var texts = PendingTexts()
  /// The number of consecutive ticks without audio from the source.
  private var stalledTicks = 0
  private var isSourceStalled = false

  init(settings: EngineSettings = EngineSettings()) {
    pausesOnLoss = settings.pausesOnLoss
    fixedRate = settings.sampleRate
    pauseLimit = .milliseconds(settings.timeouts.pause)
  }

  /// Whether the transport needs `tick` inputs.
  var isTicking: Bool { phase == .playing }

  /// The time until the next tick, in milliseconds: until the position reaches the next whole second, or half a second
  /// if it does not advance, or there is more to report.
  var millisecondsToTick: UInt64 {
    guard isAudible, !isStalled, !isBlocked, stalledTicks == 0, texts.isEmpty else { return 500 }
    let rest = Duration.milliseconds(1_001) - .nanoseconds(position.components.attoseconds / 1_000_000_000)
    return max(1, (current?.speed ?? .normal).time(for: rest).wholeMilliseconds)
  }

  var presentGeneration: UInt64 { generation }

  /// Handles `input` and returns the effects to perform. `audible` is the audible position; `nil` if there is none.
  mutating func handle(_ input: Input, audible: AudiblePosition? = nil) -> [Effect] {
    if isAudible, let audible, audible.generation == generation, audible.source == current?.id {
      position = audible.position
    }
    switch input {
    case .play(let source, let start, let isPaused, let crossfade):
      let outgoing = isPaused ? nil : outgoing(over: crossfade, audible)
      current = source
      duration = nil
      let newPosition = max(.zero, start)
      return restart(at: newPosition, phase: isPaused ? .paused : .playing, after: outgoing)
        + (isPaused ? [.report(.position(source.id, newPosition))] + closeWhenPaused : [])
    case .setNext(let id, let source, let transition, let sequenceNumber):
      if let source { following.add(source, after: id) }
      if requestedSource == nil, id == current?.id { presetSource = id }
      return [.decode(.setNext(after: id, source, transition, sequenceNumber: sequenceNumber))]
    case .pause:
      guard phase == .playing else { return [] }
      phase = .paused
      let positionReport: [Effect] = isAudible ? current.map { [.report(.position($0.id, position))] } ?? [] : []
      return [.render(.hold)] + positionReport + [.report(.changed(.paused))] + closeWhenPaused
    case .release:
      guard phase != .stopped else { return [] }
      return handle(.pause, audible: audible) + (isDevice ? [.render(.close)] : [])
    case .reopenOutput:
      guard phase != .stopped else { return [] }
      outage = nil
      failedOpenings = 0
      return isDeviceLost && phase == .playing ? restart(at: position, phase: .playing) : [.reopenOutput]
    case .resume:
      guard phase == .paused else { return [] }
      if isDeviceLost { return restart(at: position, phase: .playing) }
      phase = .playing
      reportedSecond = nil
      return [.render(.run), .report(.changed(.playing))]
    case .stop:
      guard phase != .stopped else { return [] }
      return stop(reporting: .changed(.stopped))
    case .seek(let target):
      return seek(target)
    case .setGain(let id, let gain):
      guard phase != .stopped, let current, current.id == id, current.gain != gain else { return [] }
      self.current?.gain = gain
      return restart(at: continuation(audible), phase: phase)
    case .setSpeed(let id, let speed):
      guard phase != .stopped, let current, current.id == id, current.speed != speed else { return [] }
      self.current?.speed = speed
      return restart(at: continuation(audible), phase: phase)
    case .setFrames(let id, let frames):
      guard phase != .stopped, let current, current.id == id, current.frames != frames else { return [] }
      self.current?.frames = frames
      return restart(at: continuation(audible), phase: phase)
    case .setPassage(let id, let passage):
      return setPassage(passage, of: id, writtenTo: writtenPosition(audible) ?? position)
    case .decoding(let id, let generation):
      guard generation == self.generation else { return [] }
      return requestNext(after: id)
    case .decodingFailed(let id, let error, let generation):
      guard generation == self.generation else { return [] }
      return [.report(.failed(id, error))] + (requestedSource == id ? [] : requestNext(after: id))
    case .endedEarly(let id, let error, let generation):
      return generation == self.generation ? [.report(.endedEarly(id, error))] : []
    case .grown(let id, let error): return [.report(.endedEarly(id, error))]
    case .text(let id, let text, let start, let generation):
      guard generation == self.generation else { return [] }
      texts.add(text, of: id, from: start)
      return []
    case .mustRestart(let generation):
      guard generation == self.generation, phase != .stopped else { return [] }
      return restart(at: continuation(audible), phase: phase)
    case .rendering(let report):
      return report.generation == generation && phase != .stopped ? handle(report) : []
    case .outputOpened(let output):
      isDevice = output.isDevice
      staysOpenInPause = output.staysOpenInPause
      isBlocked = false
      failedOpenings += 1
      isLossReported = false
      return [.report(output.event)] + unstall() + closeWhenPaused
    case .outputFormatDiffers(let origin, let generation):
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
      reportedSecond = nil
      return [.report(.outputStalled(isStalled))]
    case .outputAbandoned:
      return outputFailed(OutputError(kind: .lost, description: "the output is not responding"), generation)
    case .tick:
      guard isTicking, let current else { return [] }
      let stallEffects = checkForStall()
      guard isAudible else { return stallEffects }
      if current.speed.time(for: position - outageEnd) >= Self.recoveryTime { outage = nil }
      let effects = reportTexts() + stallEffects
      guard position.components.seconds != reportedSecond else { return effects }
      reportedSecond = position.components.seconds
      return [.report(.position(current.id, position))] + effects
    case .timeOut(.reopen):
      guard isDeviceLost, phase == .playing else { return [] }
      return restart(at: position, phase: .playing)
    case .timeOut(.closeInPause): return phase == .paused ? [.render(.close)] : []
    case .quit:
      generation += 1
      phase = .stopped
      return [.drop(olderThan: generation), .decode(.quit), .render(.quit)]
    }
  }

  /// Reports when a source stalls or continues. It is stalled if it is not open, or does not advance while the output
  /// works.
  private mutating func checkForStall() -> [Effect] {
    let hasNotAdvanced = isAudible ? position == tickedPosition : requestedSource == nil
    tickedPosition = position
    stalledTicks = hasNotAdvanced && !isStalled && !isBlocked && !isDeviceLost ? stalledTicks + 1 : 0
    let isSourceStalled = stalledTicks >= (isAudible ? Self.stallLimit.playback : Self.stallLimit.start)
    guard isSourceStalled != self.isSourceStalled else { return [] }
    self.isSourceStalled = isSourceStalled
    return [.report(.inputStalled(isSourceStalled))]
  }

  /// The effect that closes the device once the pause has lasted long enough; empty unless playback is paused on a
  /// device that may be closed.
  private var closeWhenPaused: [Effect] {
    phase == .paused && isDevice && !staysOpenInPause ? [.wait(.closeInPause, pauseLimit)] : []
  }

  private mutating func handle(_ report: RenderReport) -> [Effect] {
    switch report.kind {
    case .started(let stream):
      let previous = current?.id
      guard let origin = report.origin else { return [] }
      let newDuration = origin.frameCount.map { origin.format.duration(ofFrames: $0) }
      let started = Effect.report(
        .started(
          origin.source, format: origin.format, stream: stream, duration: newDuration, encoding: origin.encoding))
      // A source that was replaced so long ago that it is forgotten. The flow decides what to do.
      guard makeCurrent(origin.source) else { return [started] }
      isAudible = true
      failedOpenings = 0
      reportedSecond = nil
      duration = newDuration
      position = origin.format.duration(ofFrames: origin.frame)
      return [
        started, .report(.position(origin.source, position)),
      ] + reportTexts() + (previous == origin.source ? [] : checkGrowth(of: previous))
    case .resumed, .held:
      guard let origin = report.origin, origin.source == current?.id else { return [] }
      position = origin.format.duration(ofFrames: origin.frame)
      return [.report(.position(origin.source, position))]
    case .drained:
      return checkGrowth(of: current?.id) + stop(reporting: .finished)
    case .message, .takenBack:
      return []
    }
  }

  /// Reports what the current source says, once the frames of which it says so are audible.
  private mutating func reportTexts() -> [Effect] {
    guard let current, let text = texts.take(of: current.id, at: position) else { return [] }
    return [.report(.text(current.id, text))]
  }

  /// Lets the decode thread check whether the file of a source, which has been played to its end, has grown since.
  private func checkGrowth(of source: PlaybackSource.ID?) -> [Effect] {
    source.map { [.decode(.checkGrowth(of: $0))] } ?? []
  }

  /// Requests the next track after a source, unless it is already known.
  private mutating func requestNext(after id: PlaybackSource.ID) -> [Effect] {
    requestedSource = id
    return presetSource == id ? [] : [.report(.needsNext(after: id))]
  }

  /// Makes `source` the current one if it is the current source or one of the next tracks; returns `false` if it is
  /// neither.
  private mutating func makeCurrent(_ source: PlaybackSource.ID) -> Bool {
    guard source != current?.id else { return true }
    guard let next = following.take(source) else { return false }
    current = next
    outageEnd = .zero
    return true
  }

  /// Returns the position up to which the current source was written to the output.
  private func writtenPosition(_ audible: AudiblePosition?) -> Duration? {
    audible?.generation == generation && audible?.source == current?.id ? audible?.written : nil
  }

  /// Returns the position of what comes after the audio that was already written: the device plays that anyway.
  private func continuation(_ audible: AudiblePosition?) -> Duration {
    let written = writtenPosition(audible) ?? position
    guard let passage = current?.passage, position < passage.end, written >= passage.end else { return written }
    return passage.start
  }

  /// Returns what is playing, to fade out over `length`; `nil` if nothing is playing now.
  private func outgoing(over length: Duration, _ audible: AudiblePosition?) -> OutgoingSource? {
    guard length > .zero, phase == .playing, isAudible, !isStalled, !isBlocked, !isDeviceLost, let current else {
      return nil
    }
    return OutgoingSource(source: current, position: writtenPosition(audible) ?? position, length: length)
  }

  private mutating func seek(_ target: SeekTarget) -> [Effect] {
    guard phase != .stopped, let current else { return [] }
    let newPosition = target.position(from: position, within: duration)
    return restart(at: newPosition, phase: phase) + [.report(.position(current.id, newPosition))]
  }

  /// Sets the passage of source `id` that is repeated, if that is the current one. Restarts it after the audio that was
  /// already written or, if that is beyond the passage, where it is audible.
  private mutating func setPassage(
    _ passage: SourcePassage?, of id: PlaybackSource.ID, writtenTo written: Duration
  ) -> [Effect] {
    guard phase != .stopped, let current, current.id == id, current.passage != passage else { return [] }
    self.current?.passage = passage
    let isBeyond = passage.map { written >= $0.end } ?? false
    return restart(at: isBeyond ? position : written, phase: phase)
  }

  /// Begins a new generation, of which nothing is audible yet, and no next track is known.
  private mutating func beginGeneration() {
    generation += 1
    following = FollowingSources()
    (requestedSource, presetSource) = (nil, nil)
    isAudible = false
  }

  /// Starts a new generation with the current source at `newPosition`, while `outgoing` fades out; the next track is
  /// requested again.
  private mutating func restart(
    at newPosition: Duration, phase: EngineEvent.Phase, after outgoing: OutgoingSource? = nil
  ) -> [Effect] {
    guard let current else { return [] }
    beginGeneration()
    texts = PendingTexts()
    reportedSecond = nil
    position = newPosition
    outageEnd = newPosition
    isDeviceLost = false
    stalledTicks = 0
    isSourceStalled = false
    let changed: [Effect] = phase == self.phase ? [] : [.report(.changed(phase))]
    self.phase = phase
    return [
      .drop(olderThan: generation),
      .decode(.start(current, at: newPosition, after: outgoing, generation: generation)),
      .render(phase == .paused ? .hold : .run),
    ] + changed
  }

  private mutating func stop(reporting event: EngineEvent) -> [Effect] {
    beginGeneration()
    phase = .stopped
    current = nil
    texts = PendingTexts()
    outage = nil
    isDeviceLost = false
    isLossReported = false
    isStalled = false
    (isBlocked, failedOpenings) = (false, 0)
    stalledTicks = 0
    isSourceStalled = false
    return [.drop(olderThan: generation), .decode(.stop), .render(.close), .report(event)]
  }

  // MARK: Device loss

  /// Handles a failure of the output: reopens a device that was open; otherwise stops playback.
  private mutating func outputFailed(_ error: OutputError, _ generation: UInt64) -> [Effect] {
    guard generation == self.generation || phase == .stopped else { return [] }
    guard isDevice, phase != .stopped, error.kind == .lost || error.kind == .cannotOpen, current != nil else {
      return stop(reporting: .outputFailed(error))
    }
    if let fixedRate, error.kind == .lost, failedOpenings >= Self.failedOpeningLimit {
      return stop(
        reporting: .outputFailed(
          OutputError(
            kind: .unsupportedFormat,
            description:
              "\(error.description) (twice before anything was played); it may not support \(fixedRate) Hz")))
    }
    let positionReport: [Effect] = isAudible ? current.map { [.report(.position($0.id, position))] } ?? [] : []
    beginGeneration()
    var outage = self.outage ?? ReopenBackoff()
    let pause = outage.nextPause()
    self.outage = outage
    isDeviceLost = true
    var effects: [Effect] = [.drop(olderThan: self.generation), .decode(.stop)] + unstall() + positionReport
    if !isLossReported { effects += [.report(.outputLost(error))] }
    isLossReported = true
    if phase == .playing, !pausesOnLoss { return effects + [.wait(.reopen, pause)] }
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
