// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// An output that has a sound card for itself, and writes to the card's own buffer.
///
/// The buffer holds a second, so that the program rarely wakes up; what the card has not read yet can be replaced, so
/// that commands do not wait for it. Behind what was written last, the card finds silence, which ALSA puts there.
final class ALSAOutput: RewindableOutput {
  /// How long before the card reads it a frame can be replaced at the latest: the writing thread may be delayed.
  private static let margin = Duration.milliseconds(20)
  /// How long to wait for room, at most, if the device reports less than it should have.
  private static let roomLimit: UInt64 = 1_000
  /// How often to look after the device at least.
  private static let checkIntervals = Duration.milliseconds(20)...Duration.milliseconds(500)
  /// How much longer than expected the end may take to be played, in milliseconds.
  private static let endLimit: UInt64 = 1_000

  let format: DeviceFormat
  let name: String
  let isRealTime = true
  let needsRealTime = true
  private(set) var bufferFrames: Int
  let warning: String? = nil
  let isSuspended = false

  private let device: any PCMDevice
  private let clock: any MonotonicClock
  private let marginFrames: Int
  /// The number of frames of silence behind the last frame that was written.
  private var silentFrames = 0
  private var isPaused = false
  private var isClosed = false

  init(_ device: any PCMDevice, _ format: DeviceFormat, name: String, clock: any MonotonicClock = SystemClock()) {
    self.device = device
    self.format = format
    self.name = name
    self.clock = clock
    bufferFrames = device.bufferFrames
    marginFrames = Int(Self.margin / .seconds(1) * Double(format.sampleRate)) + device.readAheadFrames
  }

  deinit { if !isClosed { device.close() } }

  var periodFrames: Int { max(1, bufferFrames / 2) }

  var unplayedFrames: Int { isPaused ? 0 : max(0, ((try? device.state().unplayed) ?? 0) - silentFrames) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try takeBackSilence()
    try unsafe writeAll(bytes)
  }

  /// Writes frames, and waits for room where there is none.
  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var bytes = unsafe bytes
    let deadline = clock.now.advanced(byMilliseconds: Self.roomLimit)
    while unsafe !bytes.isEmpty {
      guard clock.now <= deadline else { throw lost("the device does not play") }
      let room = try performing { () throws(PCMError) in try device.state().room } ?? device.bufferFrames
      let count = min(room * format.frameByteCount, bytes.count)
      if count > 0 {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
        // After an underrun, the piece is written again.
        guard try performing({ () throws(PCMError) in try unsafe device.write(piece) }) != nil else { continue }
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
      } else {
        try performing { () throws(PCMError) in try device.start() }
        clock.sleep(until: clock.now.advanced(byMilliseconds: 1))
      }
    }
  }

  func synchronize(isComplete: Bool) throws(OutputError) -> Duration {
    let state = try performing { () throws(PCMError) in
      let state = try device.state()
      if state.unplayed > 0 { try device.start() }
      return state
    }
    if isComplete, let state { try writeSilence(behind: state, waits: false) }
    let half = Duration.seconds(1) * max(0, state?.unplayed ?? 0) / (2 * format.sampleRate)
    return min(max(half, Self.checkIntervals.lowerBound), Self.checkIntervals.upperBound)
  }

  /// Writes silence behind the last frame: when the card reaches the end of what was written, it stops, and drops what
  /// is still on its way behind the buffer.
  private func writeSilence(behind state: PCMState, waits: Bool) throws(OutputError) {
    guard silentFrames == 0, state.unplayed > 0 else { return }
    let count = min(
      2 * device.periodFrames + max(0, state.unplayed - state.replaceable), max(1, device.bufferFrames / 2))
    guard waits || state.room >= count else { return }
    let silence = [UInt8](
      repeating: format.isDSD ? DirectStreamDigital.silentByte : 0, count: count * format.frameByteCount)
    let result = unsafe silence.withUnsafeBytes { silence in
      Result { () throws(OutputError) in try unsafe writeAll(silence) }
    }
    try result.get()
    silentFrames = count
  }

  /// Moves back before the silence, so that the next frame replaces it.
  private func takeBackSilence() throws(OutputError) {
    guard silentFrames > 0 else { return }
    try performing { () throws(PCMError) in
      let count = min(silentFrames, try device.state().replaceable - marginFrames)
      if count > 0 { _ = try device.rewind(count) }
    }
    silentFrames = 0
  }

  /// Does nothing: the device reports changes only when it is asked.
  func onChange(_ notify: @escaping @Sendable () -> Void) {}

  func takeBack(atMost limit: Int) throws(OutputError) -> Int {
    guard !isPaused else { return 0 }
    try takeBackSilence()
    return try performing { () throws(PCMError) in
      let state = try device.state()
      let count = min(limit, min(state.replaceable, state.unplayed) - marginFrames)
      guard count > 0 else { return 0 }
      let rewound = try device.rewind(count)
      // A driver that refuses that: with a short buffer, commands take effect soon all the same.
      if rewound < count / 2 { bufferFrames = min(bufferFrames, format.sampleRate / 10) }
      return rewound
    } ?? 0
  }

  func setPaused(_ isPaused: Bool) throws(OutputError) {
    guard isPaused != self.isPaused else { return }
    // What was audible is the end of a fade: nothing is left in the buffer that is needed later.
    if isPaused { try performing { () throws(PCMError) in try device.reset() } }
    silentFrames = 0
    self.isPaused = isPaused
  }

  func close() throws(OutputError) {
    defer {
      isClosed = true
      device.close()
    }
    guard !isPaused, unplayedFrames > 0 else { return }
    let state = try performing { () throws(PCMError) in
      try device.start()
      return try device.state()
    }
    if let state { try writeSilence(behind: state, waits: true) }
    let deadline = clock.now.advanced(byMilliseconds: milliseconds(unplayedFrames) + Self.endLimit)
    while unplayedFrames > 0 {
      guard clock.now < deadline else { throw lost("the device does not play") }
      clock.sleep(until: clock.now.advanced(byMilliseconds: milliseconds(unplayedFrames) + 1))
    }
  }

  /// Performs `body`. If the device has run out of audio, prepares it to start again, and returns `nil`.
  @discardableResult
  private func performing<Value>(_ body: () throws(PCMError) -> Value) throws(OutputError) -> Value? {
    do throws(PCMError) {
      do throws(PCMError) {
        return try body()
      } catch .underrun {
        silentFrames = 0
        try device.reset()
        return nil
      }
    } catch {
      if case .lost(let reason) = error { throw lost(reason) }
      throw lost("the device cannot be started again")
    }
  }

  private func lost(_ reason: String) -> OutputError { OutputError(kind: .lost, description: "\(name): \(reason)") }

  private func milliseconds(_ frames: Int) -> UInt64 { UInt64(frames) * 1_000 / UInt64(format.sampleRate) }
}
