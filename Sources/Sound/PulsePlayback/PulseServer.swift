// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Synchronization

/// PulseAudio's server, or PipeWire's in its place. Can be used from any thread.
public final class PulseServer: Sendable {
  /// What plays, for the desktop's mixer.
  struct Description: Sendable, Hashable {
    var title: String?
    var artist: String?
  }

  /// Receives the server's request to pause, and, with `false`, that it no longer wants that.
  let onPauseRequest: @Sendable (Bool) -> Void
  private let present = Mutex(Description())

  /// Creates a server object, without connecting.
  ///
  /// - Parameter onPauseRequest: Called with `true` when the server wants playback to pause, such as during a call, and
  ///   with `false` when it may continue. The calls come from a thread of the library.
  public init(onPauseRequest: @escaping @Sendable (Bool) -> Void) { self.onPauseRequest = onPauseRequest }

  /// What plays, for the desktop's mixer.
  var description: Description { present.withLock { $0 } }

  /// Sets what plays, for the desktop's mixer, which shows it within a second or two.
  public func describe(title: String?, artist: String?) {
    present.withLock { $0 = Description(title: title, artist: artist) }
  }

  /// Connects to the server, and opens an output in `format` to `sink`, or to the server's default sink. Blocks until
  /// the server has answered.
  ///
  /// - Parameter buffer: The length of the buffer, limited to 100 to 2,000 ms; `nil` for 2,000 ms. Commands do not wait
  ///   for it; a shorter one needs less memory.
  /// - Throws: `OutputError` if libpulse is not installed, if there is no server, or if it refuses.
  public func open(
    _ format: DeviceFormat, sink: String?, buffer: Duration?
  ) throws(OutputError) -> any RewindableOutput {
    try PulseOutput(format, sink: sink, buffer: buffer, server: self)
  }
}
