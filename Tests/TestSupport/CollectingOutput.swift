import AudioCore
import Platform

/// One of the ``CollectingOutputs``.
final class CollectingOutput: AudioOutput {
  let format: DeviceFormat
  let name = "collecting"
  let keepsTime: Bool
  let warning: String? = nil
  var bufferFrames: Int { device?.bufferFrames ?? 0 }
  var periodFrames: Int {
    guard keepsTime else { return 8192 }
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
    index: Int, format: DeviceFormat, keepsTime: Bool, device: CollectingOutputs.Device?,
    fault: CollectingOutputs.Fault?, state: Watched<CollectingOutputs.State>, clock: any MonotonicClock,
    room: ThreadSignal
  ) {
    self.index = index
    self.format = format
    self.keepsTime = keepsTime
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
    while !state.wait(until: { $0.taken < $0.granted || $0.isGone }) {}
    if case .block(let limit, let gate) = fault, state.value.openings[index].frameCount + frames > limit {
      gate.pass()
    }
    let isTaken = state.change { state in
      state.isWaiting = false
      switch fault {
      case _ where state.isGone: return false
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
    if device?.isPaced == true, !state.value.isGone { clock.sleep(until: end) }
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
    while !state.value.isGone, clock.now < due { clock.wait(for: room, until: due) }
  }

  private func nanoseconds(_ frames: Int) -> UInt64 {
    UInt64(Double(frames) / Double(format.sampleRate) * 1e9)
  }
}
