// SPDX-License-Identifier: GPL-3.0-or-later

import CPulse

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
