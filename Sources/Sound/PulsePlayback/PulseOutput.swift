// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CPulse
import Platform

/// An output to a PulseAudio server, or to PipeWire's, with a deep buffer from which frames can be taken back.
///
/// Frames have absolute positions in the stream. What was written is overwritten at its position, and the server takes
/// back from the device what that has not played yet, if the device can do that.
@safe
final class PulseOutput: RewindableOutput {
  /// The length of the buffer, unless another one is requested. It is filled twice in this time.
  private static let defaultBuffer = Duration.milliseconds(4_000)
  /// The possible lengths of the buffer.
  private static let buffers = Duration.milliseconds(100)...Duration.milliseconds(4_000)
  /// How long before it is audible a frame can be replaced at the latest.
  private static let margin = Duration.milliseconds(25)
  /// How long before the device reads it a frame can be replaced at the latest, if the device takes nothing back.
  private static let readMargin = Duration.milliseconds(15)
  /// How much later silence can be replaced that was written in their place: the writing thread may have been delayed.
  private static let tolerance = Duration.milliseconds(10)
  /// The length of the silence after what was written last: more than a period of any server.
  private static let silence = Duration.milliseconds(200)
  /// How long after a change to ask the server for its timing; each time, twice as long after the time before.
  private static let timingIntervals = Duration.milliseconds(100)...Duration.seconds(3)
  /// How often to ask while the device is suspended, so that the position stands still.
  private static let suspendedInterval = Duration.milliseconds(250)
  /// How much later than expected the last frame may be audible, in milliseconds: a device takes time to start.
  private static let startLimit: UInt64 = 1_000

  let format: DeviceFormat
  let name = "pulse"
  let isRealTime = true
  let bufferFrames: Int
  let periodFrames: Int
  let staysOpenInPause = true
  /// Not on a sink whose own volume follows that of its streams.
  private(set) var appliesVolume = true
  let warning: String? = nil

  private let connection: PulseConnection
  private let server: PulseServer
  /// The description that was sent last.
  private var description = PulseServer.Description()
  private let marginFrames: Int
  private let readMarginFrames: Int
  private let toleranceFrames: Int
  private let silentFrames: Int
  /// What was written, but not sent yet.
  private var unsent: [UInt8] = []
  /// The position of the next frame to write.
  private var position = 0
  /// The position after the last frame that was written; what lies between is silence.
  private var end = 0
  /// The frame that was audible at an instant.
  private var audible = (frame: 0.0, instant: MonotonicInstant.now)
  private var timingInterval = PulseOutput.timingIntervals.lowerBound
  private var timingDeadline = MonotonicInstant.now
  /// Whether the device takes back what it has read. If not, it buffers little, so that commands take effect soon.
  private var canRewind = true
  private var isPaused = false
  /// Whether the stream is stopped until frames are written.
  private var isCorked = false
  /// The gain that was set last.
  private var gain: Float?
  /// Whether the device is suspended, so that time stands still for it.
  private(set) var isSuspended = false

  init(_ format: DeviceFormat, sink: String?, buffer: Duration?, server: PulseServer) throws(OutputError) {
    self.format = format
    self.server = server
    let buffer = min(max(buffer ?? Self.defaultBuffer, Self.buffers.lowerBound), Self.buffers.upperBound)
    bufferFrames = min(format.frames(in: buffer), format.rewindableFrameLimit)
    periodFrames = bufferFrames / 2
    marginFrames = format.frames(in: Self.margin)
    readMarginFrames = format.frames(in: Self.readMargin)
    toleranceFrames = format.frames(in: Self.tolerance)
    silentFrames = format.frames(in: Self.silence)
    connection = try PulseConnection(
      format, sink: sink, bufferFrames: bufferFrames, callbacks: server.callbacks)
    unsent.reserveCapacity(bufferFrames * format.frameByteCount)
    do throws(OutputError) {
      try adaptToSink()
    } catch {
      connection.close()
      throw error
    }
  }

  deinit { connection.close() }

  var unplayedFrames: Int { max(0, position - Int(audibleFrame(at: .now))) }

  private func audibleFrame(at now: MonotonicInstant) -> Double {
    guard !isPaused, !isSuspended, now > audible.instant else { return audible.frame }
    let passed = Double(now.nanoseconds - audible.instant.nanoseconds) / 1e9
    return min(Double(end), audible.frame + passed * Double(format.sampleRate))
  }

  // MARK: Writing

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let now = MonotonicInstant.now
    let frame = audibleFrame(at: now)
    if frame >= Double(end) {
      // Nothing is playing: the first frame is audible soon.
      audible = (Double(end), now)
      expectTimingChange()
    }
    if position < end {
      let start = try min(max(position, earliestReplaceable() - toleranceFrames), end)
      if start > position {
        try send()
        position = start
      }
    }
    unsafe unsent.append(contentsOf: bytes)
    position += bytes.count / format.frameByteCount
    // What replaces silence is awaited: it may begin within a few milliseconds.
    if position < end { try send() }
    end = max(end, position)
  }

  /// Sends what was written to the server.
  private func send() throws(OutputError) {
    guard !unsent.isEmpty else { return }
    defer { unsent.removeAll(keepingCapacity: true) }
    let start = position * format.frameByteCount - unsent.count
    // A write ends the stream for the server, which plays only whole periods: silence must follow.
    end = max(position, min(end, position + silentFrames))
    unsent.append(contentsOf: repeatElement(0, count: (end - position) * format.frameByteCount))
    try connection.write(unsent, at: start)
    guard isCorked else { return }
    isCorked = false
    audible = (audible.frame, .now)
    try connection.cork(false)
    expectTimingChange()
  }

  func synchronize(isComplete: Bool) throws(OutputError) -> Duration {
    let hasSent = !unsent.isEmpty
    try send()
    if isComplete, position == end, !isPaused {
      end += silentFrames
      try writeSilence(from: position, to: end)
    }
    let description = server.description
    if description != self.description {
      self.description = description
      try connection.describe(description)
    }
    if let isSuspended = try connection.takeSuspension() {
      self.isSuspended = isSuspended
      try adaptToSink()
      expectTimingChange()
      try updateTiming()
    }
    let now = MonotonicInstant.now
    // Rather now, when the server wakes up in any case, than soon.
    let isDueSoon = hasSent && now.advanced(byMilliseconds: UInt64(timingInterval / .milliseconds(2))) >= timingDeadline
    if isDueSoon || now >= timingDeadline {
      try updateTiming()
      timingInterval = isSuspended ? Self.suspendedInterval : min(timingInterval * 2, Self.timingIntervals.upperBound)
      timingDeadline = now.advanced(byMilliseconds: UInt64(timingInterval / .milliseconds(1)))
    }
    let untilTiming = Duration.nanoseconds(Int64(clamping: timingDeadline.nanoseconds - now.nanoseconds))
    let untilStep = try connection.sendVolume(at: now, isAudible: unplayedFrames > 0)
    return min(untilTiming, untilStep ?? untilTiming)
  }

  func onChange(_ notify: @escaping @Sendable () -> Void) { connection.onChange(notify) }

  // MARK: Commands

  func takeBack(atMost limit: Int) throws(OutputError) -> Int {
    guard !isPaused else { return 0 }
    try send()
    guard try updateTiming() != nil else { return 0 }
    let count = try min(limit, position - earliestReplaceable())
    guard count > 0 else { return 0 }
    position -= count
    try writeSilence(from: position, to: end)
    return count
  }

  /// Returns the position of the first frame that can be replaced in time.
  private func earliestReplaceable() throws(OutputError) -> Int {
    guard !canRewind, let timing = try updateTiming() else {
      return Int(audibleFrame(at: .now)) + marginFrames
    }
    return timing.readIndex / format.frameByteCount + readMarginFrames
  }

  private func writeSilence(from start: Int, to end: Int) throws(OutputError) {
    guard start < end else { return }
    try connection.write(
      [UInt8](repeating: 0, count: (end - start) * format.frameByteCount), at: start * format.frameByteCount)
  }

  func setPaused(_ isPaused: Bool) throws(OutputError) {
    guard isPaused != self.isPaused else { return }
    if isPaused {
      try send()
      try connection.cork(true)
      position = try connection.flush() / format.frameByteCount
      end = position
      isCorked = true
      _ = try connection.sendVolume(at: .now, isAudible: false)
    }
    audible = (Double(position), .now)
    self.isPaused = isPaused
  }

  func setVolume(_ gain: Float) throws(OutputError) {
    // The same gain as before must not undo what was set in the mixer meanwhile.
    guard appliesVolume, gain != self.gain else { return }
    let isFirst = self.gain == nil
    self.gain = gain
    try connection.requestVolume(gain)
    if isPaused || isFirst { _ = try connection.sendVolume(at: .now, isAudible: false) }
  }

  /// Finds out what the device can do, and lets one that takes nothing back buffer little.
  private func adaptToSink() throws(OutputError) {
    let couldRewind = canRewind
    canRewind = try connection.canSinkRewind()
    appliesVolume = !connection.hasFlatVolume
    if canRewind != couldRewind { try connection.setBuffer(frames: bufferFrames, isDeviceShallow: !canRewind) }
  }

  // MARK: Timing

  /// Asks the server which frame is audible, and returns its answer; `nil` if it does not know.
  @discardableResult
  private func updateTiming() throws(OutputError) -> PulseConnection.Timing? {
    guard let timing = try connection.timing() else { return nil }
    let latency = Double(timing.latencyMicroseconds) * Double(format.sampleRate) / 1e6
    let read = Double(timing.readIndex / format.frameByteCount) + Double(timing.silenceCount / format.frameByteCount)
    audible = (max(0, min(Double(end), read - latency)), .now)
    return timing
  }

  /// Asks for the timing more often for a while.
  private func expectTimingChange() {
    timingInterval = Self.timingIntervals.lowerBound
    timingDeadline = MonotonicInstant.now.advanced(byMilliseconds: UInt64(timingInterval / .milliseconds(1)))
  }

  func close() throws(OutputError) {
    defer { connection.close() }
    try send()
    guard !isPaused else { return }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds(unplayedFrames) + Self.startLimit)
    while MonotonicInstant.now < deadline {
      try updateTiming()
      guard unplayedFrames > 0, !isSuspended else { return }
      MonotonicInstant.now.advanced(byMilliseconds: milliseconds(unplayedFrames) + 1).sleep()
    }
  }

  private func milliseconds(_ frames: Int) -> UInt64 { UInt64(frames) * 1_000 / UInt64(format.sampleRate) }
}

extension DeviceFormat {
  fileprivate func frames(in duration: Duration) -> Int { Int(duration / .seconds(1) * Double(sampleRate)) }
}
