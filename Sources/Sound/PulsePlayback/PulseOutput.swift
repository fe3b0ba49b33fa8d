// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CPulse
import Platform

/// PulseAudio's server, or PipeWire's in its place.
public enum PulseServer {
  /// Connects to the server, and opens an output in `format` to `sink`, or to the server's default sink. Blocks until
  /// the server has answered.
  ///
  /// - Parameter buffer: The length of the buffer, limited to 100 to 2,000 ms; `nil` for 1,500 ms. Commands do not wait
  ///   for it; a shorter one needs less memory.
  /// - Throws: `OutputError` if libpulse is not installed, if there is no server, or if it refuses.
  public static func open(
    _ format: DeviceFormat, sink: String?, buffer: Duration?
  ) throws(OutputError) -> any RewindableOutput {
    try PulseOutput(format, sink: sink, buffer: buffer)
  }
}

/// An output to a PulseAudio server, or to PipeWire's, with a deep buffer from which frames can be taken back.
///
/// Frames have absolute positions in the stream. What was written is overwritten at its position, and the server takes
/// back from the device what that has not played yet.
@safe
final class PulseOutput: RewindableOutput {
  /// The length of the buffer, unless another one is requested. It is filled twice in this time.
  private static let defaultBuffer = Duration.milliseconds(1_500)
  /// The possible lengths of the buffer.
  private static let buffers = Duration.milliseconds(100)...Duration.milliseconds(2_000)
  /// How long before it is audible a frame can be replaced at the latest.
  private static let margin = Duration.milliseconds(25)
  /// How old the server's timing may be when frames are written.
  private static let timingMilliseconds: UInt64 = 500

  let format: DeviceFormat
  let name = "pulse"
  let isRealTime = true
  let bufferFrames: Int
  let periodFrames: Int
  let staysOpenInPause = true
  let warning: String? = nil

  private let connection: PulseConnection
  private let marginFrames: Int
  /// The position of the next frame to write.
  private var position = 0
  /// The position after the last frame that the server has; what lies between is silence.
  private var end = 0
  /// The frame that was audible at an instant.
  private var audible = (frame: 0.0, instant: MonotonicInstant.now)
  private var timingInstant = MonotonicInstant.now
  private var isPaused = false
  /// Whether the stream is stopped until frames are written.
  private var isCorked = false

  init(_ format: DeviceFormat, sink: String?, buffer: Duration?) throws(OutputError) {
    self.format = format
    let buffer = min(max(buffer ?? Self.defaultBuffer, Self.buffers.lowerBound), Self.buffers.upperBound)
    bufferFrames = format.frames(in: buffer)
    periodFrames = bufferFrames / 2
    marginFrames = format.frames(in: Self.margin)
    connection = try PulseConnection(format, sink: sink, bufferFrames: bufferFrames)
  }

  var unplayedFrames: Int { max(0, position - Int(audibleFrame(at: .now))) }

  private func audibleFrame(at now: MonotonicInstant) -> Double {
    guard !isPaused, now > audible.instant else { return audible.frame }
    let passed = Double(now.nanoseconds - audible.instant.nanoseconds) / 1e9
    return min(Double(end), audible.frame + passed * Double(format.sampleRate))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let now = MonotonicInstant.now
    let frame = audibleFrame(at: now)
    if frame >= Double(end) {
      // Nothing is playing: the first frame is audible at once.
      audible = (Double(end), now)
      timingInstant = now
    } else if now > timingInstant.advanced(byMilliseconds: Self.timingMilliseconds) {
      try updateTiming()
    }
    // Silence that is already playing cannot be replaced.
    if position < end { position = min(max(position, Int(frame) + marginFrames), end) }
    try unsafe connection.write(bytes, at: position * format.frameByteCount)
    position += bytes.count / format.frameByteCount
    end = max(end, position)
    if isCorked {
      isCorked = false
      audible = (audible.frame, .now)
      try connection.cork(false)
    }
  }

  func takeBack(atMost limit: Int) throws(OutputError) -> Int {
    guard !isPaused else { return 0 }
    try updateTiming()
    let count = min(limit, position - Int(audibleFrame(at: .now)) - marginFrames)
    guard count > 0 else { return 0 }
    position -= count
    let silence = [UInt8](repeating: 0, count: (end - position) * format.frameByteCount)
    try connection.write(silence, at: position * format.frameByteCount)
    return count
  }

  func setPaused(_ isPaused: Bool) throws(OutputError) {
    guard isPaused != self.isPaused else { return }
    if isPaused {
      try connection.cork(true)
      position = try connection.flush() / format.frameByteCount
      end = position
      isCorked = true
    }
    audible = (Double(position), .now)
    self.isPaused = isPaused
  }

  /// Asks the server which frame is audible.
  private func updateTiming() throws(OutputError) {
    guard let timing = try connection.timing() else { return }
    let now = MonotonicInstant.now
    timingInstant = now
    let latency = Double(timing.latencyMicroseconds) * Double(format.sampleRate) / 1e6
    audible = (max(0, min(Double(end), Double(timing.readIndex / format.frameByteCount) - latency)), now)
  }

  func close() throws(OutputError) {
    let unplayed = unplayedFrames
    if unplayed > 0, !isPaused {
      MonotonicInstant.now.advanced(byMilliseconds: UInt64(unplayed * 1_000 / format.sampleRate + 20)).sleep()
    }
    connection.close()
  }
}

extension DeviceFormat {
  fileprivate func frames(in duration: Duration) -> Int { Int(duration / .seconds(1) * Double(sampleRate)) }
}
