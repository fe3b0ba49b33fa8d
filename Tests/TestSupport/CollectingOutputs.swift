public import AudioCore

/// Opens outputs that keep all that they are given, and can be stepped: an output takes no more frames than were granted.
public final class CollectingOutputs: Sendable {
  /// What one opening was given.
  public struct Opening: Sendable {
    /// The format in which it was opened.
    public let format: DeviceFormat
    /// What it was given.
    public fileprivate(set) var bytes: [UInt8] = []
    /// Whether it was closed.
    public fileprivate(set) var isClosed = false

    /// What it was given, as samples.
    public var samples: [Int32] { PCM.samples(bytes, depth: format.depth) }
    /// The number of frames that it was given.
    public var frameCount: Int { bytes.count / format.frameByteCount }
  }

  /// What happens to an output that fails.
  public enum Fault: Sendable, Equatable {
    /// It does not open.
    case open
    /// It does not take the write that would make it hold more than so many frames.
    case write(afterFrames: Int)
    /// It cannot store everything.
    case close
    /// It takes nothing, and closing fails as well.
    case writeAndClose
  }

  struct State: Sendable {
    var openings: [Opening] = []
    var granted = Int.max
    var taken = 0
    var isWaiting = false
    /// The frames of the write that waits.
    var waitingFrames = 0
    var faults: [Fault?]
    var openCount = 0
  }

  /// Whether the outputs say that they keep time, so that they are given small pieces.
  private let keepsTime: Bool
  private let depthLimit: SampleDepth
  private let opening: Gate?
  let state: Watched<State>

  /// Outputs that take `granted` frames in all until more are granted.
  ///
  /// `faults` are those of the first, second, ... output; `opening` holds up whoever opens one. They open at no more than
  /// `depthLimit`.
  public init(
    granted: Int = .max, keepsTime: Bool = true, depthLimit: SampleDepth = .bits32, faults: [Fault?] = [],
    opening: Gate? = nil
  ) {
    self.keepsTime = keepsTime
    self.depthLimit = depthLimit
    self.opening = opening
    state = Watched(State(granted: granted, faults: faults))
  }

  /// What has been given so far, an entry an opening.
  public var openings: [Opening] { state.value.openings }
  /// All samples of all openings.
  public var samples: [Int32] { openings.flatMap(\.samples) }
  /// How often an output was asked for.
  public var openCount: Int { state.value.openCount }

  /// Grants `frames` more, or all that come.
  public func grant(_ frames: Int = .max) {
    state.change {
      $0.granted = $0.granted.addingReportingOverflow(frames).overflow ? .max : $0.granted + frames
    }
  }

  /// Takes no more than it holds.
  public func hold() { state.change { $0.granted = $0.taken } }

  /// Blocks until an output has taken all that was granted and is given more.
  public func awaitBlockedWrite() -> Bool { state.wait { $0.isWaiting } }

  /// How many frames it will have taken when the write that is blocked is done.
  public var frameCountAfterWrite: Int { state.value.taken + state.value.waitingFrames }

  /// Blocks until so many frames were taken in all.
  public func awaitFrames(_ count: Int) -> Bool { state.wait { $0.taken >= count } }

  /// Blocks until `isReached` holds for what was given.
  public func await(_ isReached: ([Opening]) -> Bool) -> Bool { state.wait { isReached($0.openings) } }

  /// Opens one.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    opening?.pass()
    let fault = state.change { state in
      state.openCount += 1
      return state.faults.isEmpty ? nil : state.faults.removeFirst()
    }
    if fault == .open { throw OutputError(kind: .cannotOpen, description: "does not open") }
    let depth = min(format.depth, depthLimit)
    let format = DeviceFormat(sampleRate: format.sampleRate, channels: format.channels, depth: depth)
    let index = state.change { state in
      state.openings.append(Opening(format: format))
      return state.openings.count - 1
    }
    return CollectingOutput(index: index, format: format, keepsTime: keepsTime, fault: fault, state: state)
  }
}

private final class CollectingOutput: AudioOutput {
  let format: DeviceFormat
  let name = "collecting"
  let keepsTime: Bool
  let warning: String? = nil
  let bufferFrames = 0
  var periodFrames: Int { keepsTime ? max(1, format.sampleRate / 50) : 8192 }
  private let index: Int
  private let fault: CollectingOutputs.Fault?
  private let state: Watched<CollectingOutputs.State>

  init(
    index: Int, format: DeviceFormat, keepsTime: Bool, fault: CollectingOutputs.Fault?,
    state: Watched<CollectingOutputs.State>
  ) {
    self.index = index
    self.format = format
    self.keepsTime = keepsTime
    self.fault = fault
    self.state = state
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let frames = bytes.count / format.frameByteCount
    state.change { state in
      state.isWaiting = state.taken >= state.granted
      state.waitingFrames = frames
    }
    while !state.wait(until: { $0.taken < $0.granted }) {}
    let isTaken = state.change { state in
      state.isWaiting = false
      switch fault {
      case .write(let limit) where state.openings[index].frameCount + frames > limit: return false
      case .writeAndClose: return false
      default: break
      }
      state.openings[index].bytes += Array(bytes)
      state.taken += frames
      return true
    }
    if !isTaken { throw OutputError(kind: .lost, description: "was lost") }
  }

  func close() throws(OutputError) {
    state.change { $0.openings[index].isClosed = true }
    if fault == .close || fault == .writeAndClose {
      throw OutputError(kind: .lost, description: "could not store everything")
    }
  }
}
