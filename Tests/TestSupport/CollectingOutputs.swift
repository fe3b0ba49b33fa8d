// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Platform
import Synchronization

/// Opens outputs that collect everything that is written to them. A test can limit the number of frames that they
/// accept to those that it has granted.
public final class CollectingOutputs: Sendable {
  /// An output that was opened, and what has been written to it.
  public struct Opening: Sendable {
    /// The format in which the output was opened.
    public let format: DeviceFormat
    /// The bytes that have been written.
    public internal(set) var bytes: [UInt8] = []
    /// Whether the output has been closed.
    public internal(set) var isClosed = false

    /// The samples that have been written.
    public var samples: [Int32] { PCM.samples(bytes, depth: format.depth) }
    /// The number of frames that have been written.
    public var frameCount: Int { bytes.count / format.frameByteCount }
  }

  /// A way in which an output fails or blocks.
  public enum Fault: Sendable, Equatable {
    /// Opening the output fails.
    case open
    /// A write fails if the output would exceed this number of frames.
    case write(afterFrames: Int)
    /// Closing the output fails, because not everything could be stored.
    case close
    /// All writes fail, and closing fails, too.
    case writeAndClose
    /// A write with which the output would exceed this number of frames waits at the gate, and then fails.
    case block(afterFrames: Int, Gate)
    /// Closing the output waits at the gate.
    case blockClose(Gate)

    /// The gate at which the output waits, if any.
    fileprivate var gate: Gate? {
      switch self {
      case .block(_, let gate), .blockClose(let gate): gate
      case .open, .write, .close, .writeAndClose: nil
      }
    }
  }

  /// The properties of a simulated real-time device.
  public struct Device: Sendable {
    /// The number of frames that the device buffers.
    public var bufferFrames: Int
    /// Whether the device plays in real time. If not, it accepts everything at once, as if it were infinitely fast.
    public var isPaced: Bool

    /// Creates a device that buffers this number of frames.
    public init(bufferFrames: Int, isPaced: Bool = false) {
      self.bufferFrames = bufferFrames
      self.isPaced = isPaced
    }
  }

  /// The state of a paced device after a write.
  struct Fill: Sendable {
    var instant: MonotonicInstant
    var acceptedFrames: Int
    /// The time at which everything that has been accepted will have been played.
    var end: MonotonicInstant
    var sampleRate: Int
  }

  struct State: Sendable {
    var openings: [Opening] = []
    /// The number of frames that the test permits the outputs to accept in total.
    var granted = Int.max
    var acceptedFrames = 0
    var isWaiting = false
    /// The number of frames of the write that is waiting.
    var waitingFrames = 0
    var faults: [Fault?]
    var openCount = 0
    /// The times at which outputs were requested.
    var openInstants: [MonotonicInstant] = []
    /// Whether the device is currently missing.
    var isMissing = false
    var fills: [Fill] = []
  }

  /// Whether the outputs are real-time outputs, to which the engine writes small blocks.
  private let isRealTime: Bool
  private let device: Device?
  private let takes: @Sendable (DeviceFormat) -> DeviceFormat
  private let opening: Gate?
  /// The clock of outputs that will be opened, and of tests that wait.
  private let clock = Mutex<any MonotonicClock>(SystemClock())
  /// The signal for a writer that waits for room in a paced device.
  private let roomSignal = ThreadSignal()
  /// The gates of the faults.
  private let gates: [Gate]
  let state: Watched<State>

  /// Creates outputs that together accept `granted` frames until more are granted.
  ///
  /// - Parameters:
  ///   - depthLimit: The maximum bit depth in which outputs open.
  ///   - takes: Returns the format in which an output opens for a requested one.
  ///   - faults: The faults of the first, second, ... output.
  ///   - opening: A gate that blocks the opening of outputs.
  public init(
    granted: Int = .max, isRealTime: Bool = true, device: Device? = nil, depthLimit: SampleDepth = .bits32,
    takes: @escaping @Sendable (DeviceFormat) -> DeviceFormat = { $0 }, faults: [Fault?] = [],
    opening: Gate? = nil
  ) {
    self.isRealTime = isRealTime
    self.device = device
    self.takes = { format in
      let opened = takes(format)
      return DeviceFormat(
        sampleRate: opened.sampleRate, channels: opened.channels, depth: min(opened.depth, depthLimit))
    }
    self.opening = opening
    gates = ([opening] + faults.map { $0?.gate }).compactMap(\.self).reduce(into: []) { gates, gate in
      if !gates.contains(gate) { gates.append(gate) }
    }
    state = Watched(State(granted: granted, faults: faults))
  }

  /// Makes paced outputs, and tests that wait, use `clock` instead of the system clock.
  public func use(_ clock: any MonotonicClock) { self.clock.withLock { $0 = clock } }

  private var now: MonotonicInstant { clock.withLock { $0.now } }

  private func wait(until isReached: (State) -> Bool) -> Bool {
    guard let manual = clock.withLock({ $0 as? ManualClock }) else { return state.wait(until: isReached) }
    return manual.run { isReached(state.value) }
  }

  /// The outputs that have been opened so far.
  public var openings: [Opening] { state.value.openings }
  /// The samples that have been written to all outputs.
  public var samples: [Int32] { openings.flatMap(\.samples) }
  /// The number of times that an output was requested.
  public var openCount: Int { state.value.openCount }

  /// Permits the outputs to accept this number of further frames, or by default all.
  public func grant(_ frames: Int = .max) {
    state.change {
      $0.granted = $0.granted.addingReportingOverflow(frames).overflow ? .max : $0.granted + frames
    }
  }

  /// Makes the outputs accept no more frames until more are granted.
  public func hold() { state.change { $0.granted = $0.acceptedFrames } }

  /// Blocks until the outputs have accepted all granted frames, and another write is waiting. Returns whether that
  /// happened in time.
  public func awaitBlockedWrite() -> Bool { wait { $0.isWaiting } }

  /// The number of frames that will have been accepted after the waiting write.
  public var frameCountAfterWrite: Int { state.value.acceptedFrames + state.value.waitingFrames }

  /// The number of threads that are blocked by the test, because frames must be granted or a gate must be opened.
  public var blockedCount: Int {
    let state = state.value
    let isWaiting = state.isWaiting && state.acceptedFrames >= state.granted && !state.isMissing
    return (isWaiting ? 1 : 0) + gates.reduce(0) { $0 + $1.blockedCount }
  }

  /// Blocks until this number of frames has been accepted. Returns whether that happened in time.
  public func awaitFrames(_ count: Int) -> Bool { wait { $0.acceptedFrames >= count } }

  /// Blocks until `isReached` returns `true` for the opened outputs. Returns whether it did in time.
  public func await(_ isReached: ([Opening]) -> Bool) -> Bool { wait { isReached($0.openings) } }

  /// Removes the device. A waiting write and all later ones fail, and no output can be opened.
  public func loseDevice() {
    state.change { $0.isMissing = true }
    roomSignal.wake()
  }

  /// Makes the device available again.
  public func restoreDevice() { state.change { $0.isMissing = false } }

  /// The times at which outputs were requested.
  public var openInstants: [MonotonicInstant] { state.value.openInstants }

  /// Returns the number of frames that a paced device had played at `instant`.
  public func playedFrames(at instant: MonotonicInstant) -> Double {
    guard let fill = state.value.fills.last(where: { $0.instant <= instant }) else { return 0 }
    let remaining = fill.end > instant ? Double(fill.end.nanoseconds - instant.nanoseconds) / 1e9 : 0
    return Double(fill.acceptedFrames) - remaining * Double(fill.sampleRate)
  }

  /// Blocks until a paced device has played this number of frames. Returns whether that happened in time.
  public func awaitPlayed(_ count: Int) -> Bool { wait { _ in playedFrames(at: now) >= Double(count) } }

  /// Opens an output in the requested format.
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
      clock: clock.withLock { $0 }, roomSignal: roomSignal)
  }
}

/// An output that was opened by ``CollectingOutputs``.
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
  private let roomSignal: ThreadSignal
  /// The time at which everything that has been accepted will have been played.
  private var end = MonotonicInstant(nanoseconds: 0)

  init(
    index: Int, format: DeviceFormat, isRealTime: Bool, device: CollectingOutputs.Device?,
    fault: CollectingOutputs.Fault?, state: Watched<CollectingOutputs.State>, clock: any MonotonicClock,
    roomSignal: ThreadSignal
  ) {
    self.index = index
    self.format = format
    self.isRealTime = isRealTime
    self.device = device
    self.fault = fault
    self.state = state
    self.clock = clock
    self.roomSignal = roomSignal
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let frames = bytes.count / format.frameByteCount
    if device?.isPaced == true { waitForRoom(frames) }
    state.change { state in
      state.isWaiting = state.acceptedFrames >= state.granted
      state.waitingFrames = frames
    }
    while !state.wait(until: { $0.acceptedFrames < $0.granted || $0.isMissing }) {}
    if case .block(let limit, let gate) = fault, state.value.openings[index].frameCount + frames > limit {
      gate.pass()
    }
    let isAccepted = state.change { state in
      state.isWaiting = false
      switch fault {
      case _ where state.isMissing: return false
      case .write(let limit) where state.openings[index].frameCount + frames > limit: return false
      case .block(let limit, _) where state.openings[index].frameCount + frames > limit: return false
      case .writeAndClose: return false
      default: break
      }
      state.openings[index].bytes += Array(bytes)
      state.acceptedFrames += frames
      if device?.isPaced == true {
        let now = clock.now
        end = MonotonicInstant(nanoseconds: max(end, now).nanoseconds + nanoseconds(frames))
        state.fills.append(
          CollectingOutputs.Fill(
            instant: now, acceptedFrames: state.acceptedFrames, end: end, sampleRate: format.sampleRate))
      }
      return true
    }
    if !isAccepted { throw OutputError(kind: .lost, description: "was lost") }
  }

  func close() throws(OutputError) {
    if case .blockClose(let gate) = fault { gate.pass() }
    if device?.isPaced == true, !state.value.isMissing { clock.sleep(until: end) }
    state.change { $0.openings[index].isClosed = true }
    if fault == .close || fault == .writeAndClose {
      throw OutputError(kind: .lost, description: "could not store everything")
    }
  }

  /// Waits until the device has room for this number of frames, or is lost.
  private func waitForRoom(_ frames: Int) {
    let maxLead = nanoseconds(max(0, bufferFrames - frames))
    guard end.nanoseconds > maxLead else { return }
    let deadline = MonotonicInstant(nanoseconds: end.nanoseconds - maxLead)
    while !state.value.isMissing, clock.now < deadline { clock.wait(for: roomSignal, until: deadline) }
  }

  private func nanoseconds(_ frames: Int) -> UInt64 {
    UInt64(Double(frames) / Double(format.sampleRate) * 1e9)
  }
}
