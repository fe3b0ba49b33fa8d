// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Synchronization

/// PulseAudio's server, or PipeWire's in its place. Can be used from any thread.
public final class PulseServer: Sendable {
  private let sinks = RewindingSinks()

  /// Creates a server object, without connecting.
  public init() {}

  /// Connects to the server, and opens an output in `format` to `sink`, or to the server's default sink. Blocks until
  /// the server has answered.
  ///
  /// - Parameter buffer: The length of the buffer, limited to 100 to 2,000 ms; `nil` for 1,500 ms. Commands do not wait
  ///   for it; a shorter one needs less memory.
  /// - Throws: `OutputError` if libpulse is not installed, if there is no server, or if it refuses.
  public func open(
    _ format: DeviceFormat, sink: String?, buffer: Duration?
  ) throws(OutputError) -> any RewindableOutput {
    try PulseOutput(format, sink: sink, buffer: buffer, sinks: sinks)
  }
}

/// What has been found out about the server's sinks: whether they take back what their devices have not played yet.
final class RewindingSinks: Sendable {
  private let answers = Mutex<[String: Bool]>([:])

  /// Returns whether the sink takes frames back; `nil` if that is not known yet.
  func canRewind(_ sink: String) -> Bool? { answers.withLock { $0[sink] } }

  /// Records whether the sink takes frames back.
  func record(_ sink: String, canRewind: Bool) { answers.withLock { $0[sink] = canRewind } }
}
