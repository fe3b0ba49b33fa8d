// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CPulse
import Platform

/// The volume of the stream, which the desktop's mixer shows and changes too.
extension PulseConnection {
  /// Requests the volume of a gain from 0 to 1. ``sendVolume(at:isAudible:)`` sends it.
  func requestVolume(_ gain: Float) throws(OutputError) {
    try locked { () throws(OutputError) in volume.request(PulseVolume.level(gain: gain), at: .now) }
  }

  /// Sends the next step of the volume to the server if it is due. Returns the time until another one is; `nil` if the
  /// volume is what was requested.
  func sendVolume(at now: MonotonicInstant, isAudible: Bool) throws(OutputError) -> Duration? {
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      if let level = volume.next(at: now, isAudible: isAudible),
        let specification = unsafe library.pointee.stream_get_sample_spec(stream)
      {
        // The balance that was set in the mixer stays.
        var levels = self.levels ?? pa_cvolume()
        if self.levels == nil {
          _ = unsafe library.pointee.cvolume_set(&levels, UInt32(specification.pointee.channels), level)
        }
        _ = unsafe library.pointee.cvolume_scale(&levels, level)
        let operation = unsafe library.pointee.context_set_sink_input_volume(
          context, library.pointee.stream_get_index(stream), &levels,
          { _, _, userData in unsafe PulseConnection.receiveConfirmation(userData) }, userData)
        if let operation = unsafe operation { unsafe library.pointee.operation_unref(operation) }
      }
      return volume.timeToNext(at: now)
    }
  }

  /// Lets the server report changes of streams. Called under the lock.
  func followMixer() {
    unsafe library.pointee.context_set_subscribe_callback(
      context, { unsafe PulseConnection.receive(event: $1, of: $2, $3) }, userData)
    let operation = unsafe library.pointee.context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK_INPUT, nil, nil)
    if let operation = unsafe operation { unsafe library.pointee.operation_unref(operation) }
  }

  /// Receives the report that a stream has changed. Called on libpulse's thread.
  private static func receive(
    event: pa_subscription_event_type_t, of stream: UInt32, _ userData: UnsafeMutableRawPointer?
  ) {
    let change = PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue | PA_SUBSCRIPTION_EVENT_CHANGE.rawValue
    guard event.rawValue == change, let connection = unsafe connection(userData),
      let ownStream = try? unsafe connection.readyStream(),
      unsafe connection.library.pointee.stream_get_index(ownStream) == stream
    else { return }
    connection.askAboutStream()
  }

  /// Asks for the volume of the stream, and whether it is muted, at once or after the answer to an earlier question.
  /// Called on libpulse's thread.
  func askAboutStream() {
    hasVolumeChanged = true
    guard !isAskingForVolume, let stream = try? unsafe readyStream() else { return }
    unsafe askForVolume(of: library.pointee.stream_get_index(stream))
  }

  /// Receives the server's confirmation of a level. Called on libpulse's thread.
  private static func receiveConfirmation(_ userData: UnsafeMutableRawPointer?) {
    guard let connection = unsafe connection(userData), connection.volume.recordConfirmation(),
      !connection.isAskingForVolume
    else { return }
    connection.askAboutStream()
  }

  private func askForVolume(of stream: UInt32) {
    (hasVolumeChanged, isAskingForVolume) = (false, true)
    volume.recordQuestion()
    recordQuestion()
    let operation = unsafe library.pointee.context_get_sink_input_info(
      context, stream, { unsafe PulseConnection.receive(stream: $1, isEnd: $2 != 0, $3) }, userData)
    if let operation = unsafe operation { unsafe library.pointee.operation_unref(operation) }
  }

  /// Receives the description of the stream, and then its end. Called on libpulse's thread.
  private static func receive(
    stream info: UnsafePointer<pa_sink_input_info>?, isEnd: Bool, _ userData: UnsafeMutableRawPointer?
  ) {
    guard let connection = unsafe connection(userData) else { return }
    if let info = unsafe info { connection.receive(isMuted: unsafe info.pointee.mute != 0) }
    if let info = unsafe info, unsafe info.pointee.has_volume != 0 {
      let levels = unsafe info.pointee.volume
      connection.levels = levels
      let level = unsafe withUnsafePointer(to: levels) { unsafe connection.library.pointee.cvolume_max($0) }
      if let level = connection.volume.recordAnswer(level, at: .now) {
        connection.callbacks.onVolumeChange(min(1, Double(level) / Double(PulseVolume.full)))
      }
    }
    guard isEnd else { return }
    connection.isAskingForVolume = false
    if connection.hasVolumeChanged { connection.askAboutStream() }
  }
}
