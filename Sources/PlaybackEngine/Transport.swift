import AudioCore

/// Decides what the engine does: a pure state machine that is told of commands and reports, and gives the effects to
/// perform.
///
/// Every command that breaks with what plays raises the *generation*; what is decoded for an older one is dropped, and
/// what is reported of it is ignored.
struct Transport {
  /// What can happen.
  enum Input: Sendable {
    case play(PlaybackSource, at: Duration)
    case follow(PlaybackSource.ID, with: PlaybackSource?)
    case pause
    case resume
    case toggle
    case stop
    case seek(SeekTarget)
    case decoding(PlaybackSource.ID, generation: UInt64)
    case decodingFailed(PlaybackSource.ID, DecodingError, generation: UInt64)
    case rendering(RenderReport)
    case outputOpened(name: String, format: DeviceFormat, warning: String?)
    case outputFailed(OutputError, generation: UInt64)
    case quit
  }

  /// What is to be done, in this order.
  enum Effect: Equatable {
    case drop(olderThan: UInt64)
    case decode(DecodeCommand)
    case render(RenderTarget)
    case report(EngineEvent)
  }

  private var phase = EngineEvent.Phase.stopped
  private var generation: UInt64 = 0
  /// What is heard, or was commanded to be heard next.
  private var current: PlaybackSource?
  private var duration: Duration?
  /// What was announced to follow the current source.
  private var following: [PlaybackSource] = []
  private var position = Duration.zero
  /// Whether a frame of this generation has been heard, so that its position is known from the output.
  private var isHeard = false

  /// The effects of `input`. `heard` is what the output has been given last.
  mutating func handle(_ input: Input, heard: HeardPosition? = nil) -> [Effect] {
    switch input {
    case .play(let source, let start):
      current = source
      duration = nil
      following = []
      return restart(at: max(.zero, start), phase: .playing)
    case .follow(let id, let source):
      if let source { following.append(source) }
      return [.decode(.follow(id, with: source))]
    case .toggle:
      return handle(phase == .playing ? .pause : .resume)
    case .pause:
      guard phase == .playing else { return [] }
      phase = .paused
      return [.render(.hold), .report(.changed(.paused))]
    case .resume:
      guard phase == .paused else { return [] }
      phase = .playing
      return [.render(.run), .report(.changed(.playing))]
    case .stop:
      guard phase != .stopped else { return [] }
      return stop(reporting: .changed(.stopped))
    case .seek(let target):
      return seek(target, heard: heard)
    case .decoding(let id, let generation):
      return generation == self.generation ? [.report(.needsNext(after: id))] : []
    case .decodingFailed(let id, let error, let generation):
      guard generation == self.generation else { return [] }
      return [.report(.failed(id, error)), .report(.needsNext(after: id))]
    case .rendering(let report):
      return report.generation == generation ? handle(report) : []
    case .outputOpened(let name, let format, let warning):
      return [.report(.outputOpened(name: name, format: format, warning: warning))]
    case .outputFailed(let error, let generation):
      return generation == self.generation || phase == .stopped ? stop(reporting: .outputFailed(error)) : []
    case .quit:
      generation += 1
      phase = .stopped
      return [.drop(olderThan: generation), .decode(.quit), .render(.quit)]
    }
  }

  private mutating func handle(_ report: RenderReport) -> [Effect] {
    switch report.kind {
    case .started(let format, let frameCount):
      if report.source != current?.id {
        guard let index = following.firstIndex(where: { $0.id == report.source }) else { return [] }
        current = following[index]
        following.removeSubrange(...index)
      }
      isHeard = true
      duration = frameCount.map { format.duration(ofFrames: $0) }
      position = format.duration(ofFrames: report.frame)
      return [
        .report(.started(report.source, format: format, duration: duration)),
        .report(.position(report.source, position)),
      ]
    case .position(let format):
      guard report.source == current?.id else { return [] }
      position = format.duration(ofFrames: report.frame)
      return [.report(.position(report.source, position))]
    case .drained:
      return stop(reporting: .finished)
    case .news:
      return []
    }
  }

  private mutating func seek(_ target: SeekTarget, heard: HeardPosition?) -> [Effect] {
    guard phase != .stopped, let current else { return [] }
    if isHeard, let heard, heard.generation == generation, heard.source == current.id {
      position = heard.position
    }
    let wanted =
      switch target {
      case .to(let place): place
      case .by(let distance): position + distance
      }
    following = []
    let place = max(.zero, min(wanted, duration ?? .seconds(Int64.max)))
    return restart(at: place, phase: phase) + [.report(.position(current.id, place))]
  }

  /// Begins a new generation with the current source.
  private mutating func restart(at place: Duration, phase: EngineEvent.Phase) -> [Effect] {
    guard let current else { return [] }
    generation += 1
    isHeard = false
    position = place
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
    return [.drop(olderThan: generation), .decode(.stop), .render(.close), .report(event)]
  }
}
