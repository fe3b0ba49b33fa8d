// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CPulse
import Platform

/// An output to a PulseAudio server, or to PipeWire's, with a deep buffer from which frames can be taken back.
///
/// Frames have absolute positions in the stream, which the server reads continuously while it is not stopped: where
/// nothing was written, it plays silence. What was written is overwritten at its position. The server takes back from
/// the device what that has not played yet, if the device can do that; others have only little. So the stream holds
/// most of the buffer.
@safe
final class PulseOutput: RewindableOutput {
  /// The length of the buffer, unless another one is requested. It is filled twice in this time.
  private static let defaultBuffer = Duration.milliseconds(4_000)
  /// The possible lengths of the buffer.
  private static let buffers = Duration.milliseconds(100)...Duration.milliseconds(4_000)
  /// How much the server may read at once, if it does not say how much its device buffers or says that it is more.
  private static let periods = Duration.milliseconds(5)...Duration.milliseconds(40)
  /// The time for a write to reach the server.
  private static let transport = Duration.milliseconds(4)
  /// How long before it is audible a frame can be replaced at the latest, if the device takes back what it has read.
  private static let rewindMargin = Duration.milliseconds(25)
  /// The length of the silence after what was written last: more than a period of any server, since some play only
  /// whole periods.
  private static let silence = Duration.milliseconds(200)
  /// How long after a change to ask the server for its timing; each time, twice as long after the time before.
  private static let timingIntervals = Duration.milliseconds(100)...Duration.seconds(3)
  /// How often to ask while the device is suspended, so that the position stands still.
  private static let suspendedInterval = Duration.milliseconds(250)
  /// How much later than expected the last frame may be audible, in milliseconds: a device takes time to start.
  private static let startLimit: UInt64 = 1_000
  /// How much later than the server says a frame may be audible, in milliseconds.
  private static let settlingLimit: UInt64 = 16

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
  private let silentFrames: Int
  private let transportFrames: Int
  /// What was written, but not sent yet.
  private var unsent: [UInt8] = []
  /// The position of the next frame to write.
  private var position = 0
  /// The position after the last frame that was taken back; the server still has these frames.
  private var obsoleteEnd = 0
  /// The frame that was audible at an instant.
  private var audible = (frame: 0.0, instant: MonotonicInstant.now)
  /// How much sooner the server reads a frame than it is audible.
  private var latencyFrames = 0
  /// How long before a frame is read, or audible if the device can take it back, it is too late to replace it.
  private var marginFrames: Int
  private var timingInterval = PulseOutput.timingIntervals.lowerBound
  private var timingDeadline = MonotonicInstant.now
  private var isPaused = false
  /// Whether the stream is stopped until frames are written.
  private var isCorked = true
  /// The gain that was set last.
  private var gain: Float?
  /// Whether the device has dropped what it had read, and not played, and it was not taken back yet.
  private(set) var hasDropped = false
  /// The position at which the stream started after it was stopped.
  private var firstPosition = 0
  /// Whether the device is suspended, so that time stands still for it.
  private(set) var isSuspended = false

  init(
    _ format: DeviceFormat, sink: String?, staysOnSink: Bool, buffer: Duration?, server: PulseServer
  ) throws(OutputError) {
    self.format = format
    self.server = server
    let buffer = min(max(buffer ?? Self.defaultBuffer, Self.buffers.lowerBound), Self.buffers.upperBound)
    bufferFrames = min(format.frames(in: buffer), format.rewindableFrameLimit)
    periodFrames = bufferFrames / 2
    silentFrames = format.frames(in: Self.silence)
    transportFrames = format.frames(in: Self.transport)
    marginFrames = format.frames(in: Self.periods.upperBound + Self.transport)
    connection = try PulseConnection(
      format, sink: sink, staysOnSink: staysOnSink, bufferFrames: bufferFrames, callbacks: server.callbacks)
    unsent.reserveCapacity((bufferFrames + silentFrames) * format.frameByteCount)
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
    guard !isCorked, !isSuspended, now > audible.instant else { return audible.frame }
    let passed = Double(now.nanoseconds - audible.instant.nanoseconds) / 1e9
    return audible.frame + passed * Double(format.sampleRate)
  }

  // MARK: Writing

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let isUrgent = !isCorked && unplayedFrames < latencyFrames + 2 * marginFrames
    // What comes too late for its position is played later. But what replaces sound stays at its position: until it
    // arrives, that sound is played from there.
    if isUrgent, unsent.isEmpty, position >= obsoleteEnd, let timing = try updateTiming() {
      position = max(position, firstReplaceable(timing) + transportFrames)
    }
    unsafe unsent.append(contentsOf: bytes)
    position += bytes.count / format.frameByteCount
    // What is audible soon is not left for later, but not sent in pieces that are shorter than what the server reads.
    if isUrgent, unsent.count > 2 * marginFrames * format.frameByteCount { try send() }
  }

  /// Sends what was written to the server, and silence in place of what was taken back.
  private func send() throws(OutputError) {
    guard !unsent.isEmpty || position < obsoleteEnd else { return }
    defer { unsent.removeAll(keepingCapacity: true) }
    let start = position * format.frameByteCount - unsent.count
    let end = max(obsoleteEnd, position + silentFrames)
    unsent.append(contentsOf: repeatElement(0, count: (end - position) * format.frameByteCount))
    try connection.write(unsent, at: start)
    obsoleteEnd = 0
    guard isCorked, !isPaused else { return }
    firstPosition = start / format.frameByteCount
    try connection.cork(false)
    isCorked = false
    audible.instant = .now
    try updateTiming()
    expectTimingChange()
  }

  func synchronize(isComplete: Bool) throws(OutputError) -> Duration {
    let hasSent = !unsent.isEmpty
    try send()
    let description = server.description
    if description != self.description {
      self.description = description
      try connection.describe(description)
    }
    if let isSuspended = try connection.takeSuspension() {
      if isSuspended, !self.isSuspended { try noteDropping() }
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
    guard !isCorked else { return 0 }
    try send()
    let dropped = hasDropped ? Int(audible.frame) : nil
    hasDropped = false
    guard let timing = try updateTiming() else { return 0 }
    let count = min(limit, position - (dropped ?? firstReplaceable(timing) + marginFrames))
    guard count > 0 else { return 0 }
    obsoleteEnd = position
    if dropped == nil {
      position -= count
    } else {
      // Where the server continues to read.
      position = timing.readIndex / format.frameByteCount
      audible = (Double(position), .now)
    }
    return count
  }

  /// Notes what the device has dropped because it was suspended, if it has played anything since the stream started: a
  /// device that sleeps while nothing plays has dropped nothing.
  private func noteDropping() throws(OutputError) {
    // The report comes a few milliseconds late, and it is better to repeat a frame than to lose one.
    let frame = max(Double(firstPosition), audibleFrame(at: .now) - Double(transportFrames))
    guard !isCorked, let timing = try connection.timing(), timing.readIndex / format.frameByteCount > firstPosition,
      try connection.isSuspendedNow()
    else { return }
    audible = (frame, .now)
    hasDropped = true
  }

  /// Returns the position of the first frame that is not out of reach.
  private func firstReplaceable(_ timing: PulseConnection.Timing) -> Int {
    connection.canSinkRewind ? Int(audible.frame) : timing.readIndex / format.frameByteCount
  }

  func setPaused(_ isPaused: Bool) throws(OutputError) {
    guard isPaused != self.isPaused else { return }
    if isPaused {
      try send()
      Self.awaitDevice()
      try connection.cork(true)
      position = try connection.flush() / format.frameByteCount
      isCorked = true
      audible = (Double(position), .now)
      _ = try connection.sendVolume(at: .now, isAudible: false)
    }
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
    try connection.adaptToSink()
    appliesVolume = !connection.hasFlatVolume
  }

  // MARK: Timing

  /// Asks the server which frame is audible, and returns its answer; `nil` if it does not know.
  @discardableResult
  private func updateTiming() throws(OutputError) -> PulseConnection.Timing? {
    guard let timing = try connection.timing() else { return nil }
    latencyFrames = frames(inMicroseconds: timing.latencyMicroseconds)
    let period = Duration.microseconds(timing.deviceMicroseconds)
    let margin = min(max(period, Self.periods.lowerBound), Self.periods.upperBound) + Self.transport
    marginFrames = format.frames(in: connection.canSinkRewind ? Self.rewindMargin : margin)
    // Nothing becomes audible while the device is suspended, or the stream stopped, whatever the server says of its
    // latency.
    if !isSuspended, !isCorked {
      audible = (max(0, Double(timing.readIndex / format.frameByteCount - latencyFrames)), .now)
    }
    return timing
  }

  private func frames(inMicroseconds microseconds: Int) -> Int {
    Int(Double(microseconds) * Double(format.sampleRate) / 1e6)
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
      guard unplayedFrames > 0, !isSuspended else { return Self.awaitDevice() }
      MonotonicInstant.now.advanced(byMilliseconds: milliseconds(unplayedFrames) + 1).sleep()
    }
  }

  /// Waits until what was audible according to the server is audible in any case: its statements are not exact, and a
  /// device drops what it has not played when its stream ends or stops.
  private static func awaitDevice() { MonotonicInstant.now.advanced(byMilliseconds: settlingLimit).sleep() }

  private func milliseconds(_ frames: Int) -> UInt64 { UInt64(frames) * 1_000 / UInt64(format.sampleRate) }
}

extension DeviceFormat {
  fileprivate func frames(in duration: Duration) -> Int { Int(duration / .seconds(1) * Double(sampleRate)) }
}
