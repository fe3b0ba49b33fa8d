public import AudioCore
public import Platform
import Synchronization

/// Opens outputs that keep all that they are given, and can be stepped: an output takes no more frames than were
/// granted.
public final class CollectingOutputs: Sendable {
  /// What one opening was given.
  public struct Opening: Sendable {
    /// The format in which it was opened.
    public let format: DeviceFormat
    /// What it was given.
    public internal(set) var bytes: [UInt8] = []
    /// Whether it was closed.
    public internal(set) var isClosed = false

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
    /// The write that would make it hold more than so many frames waits at the gate, and is not taken.
    case block(afterFrames: Int, Gate)
    /// Closing waits at the gate.
    case blockClose(Gate)

    /// Where somebody waits.
    fileprivate var gate: Gate? {
      switch self {
      case .block(_, let gate), .blockClose(let gate): gate
      case .open, .write, .close, .writeAndClose: nil
      }
    }
  }

  /// What an output does that plays in time what it holds.
  public struct Device: Sendable {
    /// How many frames it holds.
    public var bufferFrames: Int
    /// Whether it plays in time; otherwise it takes all at once, like a device that is infinitely fast.
    public var isPaced: Bool

    /// A device that holds so many frames.
    public init(bufferFrames: Int, isPaced: Bool = false) {
      self.bufferFrames = bufferFrames
      self.isPaced = isPaced
    }
  }

  /// The state of a paced device after a write.
  struct Fill: Sendable {
    var instant: MonotonicInstant
    var taken: Int
    /// When all that was taken is heard.
    var end: MonotonicInstant
    var sampleRate: Int
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
    /// When an output was asked for.
    var openInstants: [MonotonicInstant] = []
    /// Whether the device is not there at present.
    var isMissing = false
    var fills: [Fill] = []
  }

  /// Whether the outputs say that they keep time, so that they are given small pieces.
  private let isRealTime: Bool
  private let device: Device?
  private let takes: @Sendable (DeviceFormat) -> DeviceFormat
  private let opening: Gate?
  /// The clock of all that is opened from now on, and of whoever waits here.
  private let clock = Mutex<any MonotonicClock>(SystemClock())
  /// Wakes whoever waits for room in a paced device.
  private let room = ThreadSignal()
  /// What holds somebody up.
  private let gates: [Gate]
  let state: Watched<State>

  /// Outputs that take `granted` frames in all until more are granted.
  ///
  /// `faults` are those of the first, second, ... output; `opening` holds up whoever opens one. They open in the format
  /// that `takes` makes of the one asked for, at no more than `depthLimit`.
  public init(
    granted: Int = .max, isRealTime: Bool = true, device: Device? = nil, depthLimit: SampleDepth = .bits32,
    takes: @escaping @Sendable (DeviceFormat) -> DeviceFormat = { $0 }, faults: [Fault?] = [],
    opening: Gate? = nil
  ) {
    self.isRealTime = isRealTime
    self.device = device
    self.takes = { format in
      let taken = takes(format)
      return DeviceFormat(
        sampleRate: taken.sampleRate, channels: taken.channels, depth: min(taken.depth, depthLimit))
    }
    self.opening = opening
    gates = ([opening] + faults.map { $0?.gate }).compactMap(\.self).reduce(into: []) { gates, gate in
      if !gates.contains(gate) { gates.append(gate) }
    }
    state = Watched(State(granted: granted, faults: faults))
  }

  /// Has outputs that are paced, and those who wait for what is given, go by `clock` instead of the system's.
  public func follow(_ clock: any MonotonicClock) { self.clock.withLock { $0 = clock } }

  private var now: MonotonicInstant { clock.withLock { $0.now } }

  private func wait(until isReached: (State) -> Bool) -> Bool {
    guard let manual = clock.withLock({ $0 as? ManualClock }) else { return state.wait(until: isReached) }
    return manual.run { isReached(state.value) }
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
  public func awaitBlockedWrite() -> Bool { wait { $0.isWaiting } }

  /// How many frames it will have taken when the write that is blocked is done.
  public var frameCountAfterWrite: Int { state.value.taken + state.value.waitingFrames }

  /// How many threads wait for the test: for frames to be granted, or at a gate.
  public var blockedCount: Int {
    let state = state.value
    let isWaiting = state.isWaiting && state.taken >= state.granted && !state.isMissing
    return (isWaiting ? 1 : 0) + gates.reduce(0) { $0 + $1.heldCount }
  }

  /// Blocks until so many frames were taken in all.
  public func awaitFrames(_ count: Int) -> Bool { wait { $0.taken >= count } }

  /// Blocks until `isReached` holds for what was given.
  public func await(_ isReached: ([Opening]) -> Bool) -> Bool { wait { isReached($0.openings) } }

  /// The device goes: a write that waits, and every later one, fails, and none opens.
  public func vanish() {
    state.change { $0.isMissing = true }
    room.wake()
  }

  /// The device is there again.
  public func comeBack() { state.change { $0.isMissing = false } }

  /// When outputs were asked for.
  public var openInstants: [MonotonicInstant] { state.value.openInstants }

  /// How many frames of all that a paced device took had been heard at `instant`.
  public func heardFrames(at instant: MonotonicInstant) -> Double {
    guard let fill = state.value.fills.last(where: { $0.instant <= instant }) else { return 0 }
    let rest = fill.end > instant ? Double(fill.end.nanoseconds - instant.nanoseconds) / 1e9 : 0
    return Double(fill.taken) - rest * Double(fill.sampleRate)
  }

  /// Blocks until so many frames of all that a paced device took were heard.
  public func awaitHeard(_ count: Int) -> Bool { wait { _ in heardFrames(at: now) >= Double(count) } }

  /// Opens one.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    opening?.pass()
    let now = now
    let (fault, isMissing) = state.change { state -> (Fault?, Bool) in
      state.openCount += 1
      state.openInstants.append(now)
      if state.isMissing { return (nil, true) }
      return (state.faults.isEmpty ? nil : state.faults.removeFirst(), false)
    }
    if fault == .open || isMissing { throw OutputError(kind: .cannotOpen, description: "does not open") }
    let format = takes(format)
    let index = state.change { state in
      state.openings.append(Opening(format: format))
      return state.openings.count - 1
    }
    return CollectingOutput(
      index: index, format: format, isRealTime: isRealTime, device: device, fault: fault, state: state,
      clock: clock.withLock { $0 }, room: room)
  }
}

/// One of the ``CollectingOutputs``.
final class CollectingOutput: AudioOutput {
  let format: DeviceFormat
  let name = "collecting"
  let isRealTime: Bool
  let warning: String? = nil
  var bufferFrames: Int { device?.bufferFrames ?? 0 }
  var periodFrames: Int {
    guard isRealTime else { return 8192 }
    return max(1, min(format.sampleRate / 50, device?.bufferFrames ?? .max))
  }
  private let index: Int
  private let device: CollectingOutputs.Device?
  private let fault: CollectingOutputs.Fault?
  private let state: Watched<CollectingOutputs.State>
  private let clock: any MonotonicClock
  private let room: ThreadSignal
  /// When all that was taken is heard.
  private var end = MonotonicInstant(nanoseconds: 0)

  init(
    index: Int, format: DeviceFormat, isRealTime: Bool, device: CollectingOutputs.Device?,
    fault: CollectingOutputs.Fault?, state: Watched<CollectingOutputs.State>, clock: any MonotonicClock,
    room: ThreadSignal
  ) {
    self.index = index
    self.format = format
    self.isRealTime = isRealTime
    self.device = device
    self.fault = fault
    self.state = state
    self.clock = clock
    self.room = room
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let frames = bytes.count / format.frameByteCount
    if device?.isPaced == true { waitForRoom(frames) }
    state.change { state in
      state.isWaiting = state.taken >= state.granted
      state.waitingFrames = frames
    }
    while !state.wait(until: { $0.taken < $0.granted || $0.isMissing }) {}
    if case .block(let limit, let gate) = fault, state.value.openings[index].frameCount + frames > limit {
      gate.pass()
    }
    let isTaken = state.change { state in
      state.isWaiting = false
      switch fault {
      case _ where state.isMissing: return false
      case .write(let limit) where state.openings[index].frameCount + frames > limit: return false
      case .block(let limit, _) where state.openings[index].frameCount + frames > limit: return false
      case .writeAndClose: return false
      default: break
      }
      state.openings[index].bytes += Array(bytes)
      state.taken += frames
      if device?.isPaced == true {
        let now = clock.now
        end = MonotonicInstant(nanoseconds: max(end, now).nanoseconds + nanoseconds(frames))
        state.fills.append(
          CollectingOutputs.Fill(instant: now, taken: state.taken, end: end, sampleRate: format.sampleRate))
      }
      return true
    }
    if !isTaken { throw OutputError(kind: .lost, description: "was lost") }
  }

  func close() throws(OutputError) {
    if case .blockClose(let gate) = fault { gate.pass() }
    if device?.isPaced == true, !state.value.isMissing { clock.sleep(until: end) }
    state.change { $0.openings[index].isClosed = true }
    if fault == .close || fault == .writeAndClose {
      throw OutputError(kind: .lost, description: "could not store everything")
    }
  }

  /// Waits until the device has room for so many frames more, or is gone.
  private func waitForRoom(_ frames: Int) {
    let held = nanoseconds(max(0, bufferFrames - frames))
    guard end.nanoseconds > held else { return }
    let due = MonotonicInstant(nanoseconds: end.nanoseconds - held)
    while !state.value.isMissing, clock.now < due { clock.wait(for: room, until: due) }
  }

  private func nanoseconds(_ frames: Int) -> UInt64 {
    UInt64(Double(frames) / Double(format.sampleRate) * 1e9)
  }
}
