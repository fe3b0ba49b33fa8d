// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CPulse
import Synchronization

/// PulseAudio's server, or PipeWire's in its place. Can be used from any thread.
public final class PulseServer: Sendable {
  /// What plays, for the desktop's mixer.
  struct Description: Sendable, Hashable {
    var title: String?
    var artist: String?
  }

  /// The functions that receive what happens on the server. They are called on a thread of the library.
  public struct Callbacks: Sendable {
    /// Receives `true` when the server wants playback to pause, such as during a call, and `false` when it may
    /// continue.
    let onPauseRequest: @Sendable (Bool) -> Void
    /// Receives the volume that was set in the desktop's mixer, as a fraction from 0 to 1 of full volume, on the scale
    /// that mixers show.
    let onVolumeChange: @Sendable (Double) -> Void
    /// Receives the name of the sink to which an output plays, when it is opened or moved to another one. Called on the
    /// thread that uses the output; must return at once.
    let onSinkChange: @Sendable (String) -> Void

    public init(
      onPauseRequest: @escaping @Sendable (Bool) -> Void, onVolumeChange: @escaping @Sendable (Double) -> Void,
      onSinkChange: @escaping @Sendable (String) -> Void
    ) {
      self.onPauseRequest = onPauseRequest
      self.onVolumeChange = onVolumeChange
      self.onSinkChange = onSinkChange
    }
  }

  /// The version of libpulse; `nil` if it is not installed.
  public static var libraryVersion: String? {
    guard let library = unsafe PulseLibraryLoad() else { return nil }
    return unsafe library.pointee.get_library_version().map { unsafe String(cString: $0) }
  }

  let callbacks: Callbacks
  private let present = Mutex(Description())

  public init(_ callbacks: Callbacks) { self.callbacks = callbacks }

  /// What plays, for the desktop's mixer.
  var description: Description { present.withLock { $0 } }

  /// Sets what plays, for the desktop's mixer, which shows it within a second or two.
  public func describe(title: String?, artist: String?) {
    present.withLock { $0 = Description(title: title, artist: artist) }
  }

  /// Connects to the server, and opens an output in `format` to `sink`, or to the server's default sink. Blocks until
  /// the server has answered.
  ///
  /// - Parameter staysOnSink: Whether the output is lost with `sink`, instead of being moved to another one.
  /// - Parameter buffer: The length of the buffer, limited to 100 to 4,000 ms; `nil` for 4,000 ms. Commands do not wait
  ///   for it; a shorter one needs less memory.
  /// - Throws: `OutputError` if libpulse is not installed, if there is no server, or if it refuses.
  public func open(
    _ format: DeviceFormat, sink: String?, staysOnSink: Bool = false, buffer: Duration?
  ) throws(OutputError) -> any RewindableOutput {
    try PulseOutput(format, sink: sink, staysOnSink: staysOnSink, buffer: buffer, server: self)
  }
}

/// The server's requests to pause, as during a call.
extension PulseConnection {
  /// Passes the server's requests to pause on. PulseAudio mutes a stream before it asks it to stop, and asks it to
  /// continue only if it has stopped by then: for a short pause, the stream is only no longer muted. Called on
  /// libpulse's thread.
  static func receive(event: UnsafePointer<CChar>?, _ userData: UnsafeMutableRawPointer?) {
    guard let event = unsafe event, let connection = unsafe connection(userData) else { return }
    switch unsafe String(cString: event) {
    case PA_STREAM_EVENT_REQUEST_CORK:
      (connection.isPauseRequested, connection.isAskingForPause) = (true, false)
      connection.callbacks.onPauseRequest(true)
      connection.askAboutStream()
    case PA_STREAM_EVENT_REQUEST_UNCORK: connection.endPause()
    default: break
    }
  }

  /// Handles the server's answer whether the stream is muted. Called on libpulse's thread.
  func receive(isMuted: Bool) {
    if isAskingForPause, !isMuted { endPause() }
  }

  func endPause() {
    guard isPauseRequested else { return }
    (isPauseRequested, isAskingForPause) = (false, false)
    callbacks.onPauseRequest(false)
  }

  /// Notes that a question about the stream is sent. PipeWire does not mute.
  func recordQuestion() { isAskingForPause = isPauseRequested && !isPipeWire }
}
