// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CPulse
import Platform

/// A connection to the server with one stream. libpulse's own thread carries the messages. Used by one thread at a
/// time.
@safe
final class PulseConnection {
  /// How much a device is to buffer that takes nothing back, since commands have to wait for it.
  private static let shallowBuffer = Duration.milliseconds(16)
  /// How much other devices are to buffer: enough for a busy machine.
  private static let deepBuffer = Duration.milliseconds(200)

  let library: UnsafePointer<PulseLibrary>
  private let mainloop: OpaquePointer
  let context: OpaquePointer
  private var stream: OpaquePointer?
  private let format: DeviceFormat
  private let bufferFrames: Int
  /// Whether the server must not move the stream to another sink: it ends with its own.
  private let staysOnSink: Bool
  /// The name of the output in errors.
  private let name: String
  private var isClosed = false
  // Under the lock of the main loop, which libpulse's thread holds when it calls:
  private var hasChanged = false
  /// Whether the sink takes back what it has read, to the frame. PulseAudio's sinks for sound cards do, if they need
  /// not resample; PipeWire's do not, and of others, such as Bluetooth and network sinks, it is not known.
  private(set) var canSinkRewind = false
  var isPipeWire = false
  private var isSoundCard = false
  private var notify: @Sendable () -> Void = {}
  var volume = PulseVolume()
  /// The volume of each channel, as far as the server has reported it.
  var levels: pa_cvolume?
  /// Whether the server was asked for the volume, and has not answered.
  var isAskingForVolume = false
  /// Whether the stream has changed since then.
  var hasVolumeChanged = false
  /// Whether the server has asked for a pause that it has not ended.
  var isPauseRequested = false
  /// Whether the server was asked since then if that pause has ended.
  var isAskingForPause = false
  /// The name of the sink; `nil` before it is known.
  private var sinkName: String?
  /// Whether the volume of the sink follows that of its streams, so that it is not the player's to set.
  private(set) var hasFlatVolume = false
  let callbacks: PulseServer.Callbacks

  /// What the server says of a stream.
  struct Timing {
    /// The position up to which the server has read, in bytes.
    var readIndex: Int
    /// The time until what the server reads now is audible.
    var latencyMicroseconds: Int
    /// How much the device buffers at most, as far as the server knows.
    var deviceMicroseconds: Int
  }

  /// Connects, and opens a stream.
  ///
  /// - Throws: `OutputError` if there is no server, or if it refuses.
  init(
    _ format: DeviceFormat, sink: String?, staysOnSink: Bool, bufferFrames: Int, callbacks: PulseServer.Callbacks
  ) throws(OutputError) {
    self.callbacks = callbacks
    self.format = format
    self.bufferFrames = bufferFrames
    self.staysOnSink = staysOnSink && sink != nil
    name = sink.map { "pulse \"\($0)\"" } ?? "pulse"
    guard let library = unsafe PulseLibraryLoad() else {
      throw OutputError(kind: .cannotOpen, description: "\(name): libpulse is not installed")
    }
    guard let mainloop = unsafe library.pointee.threaded_mainloop_new() else {
      throw OutputError(kind: .cannotOpen, description: "\(name): no resources left")
    }
    unsafe self.library = library
    unsafe self.mainloop = mainloop
    let properties = unsafe library.pointee.proplist_new()
    defer { if let properties = unsafe properties { unsafe library.pointee.proplist_free(properties) } }
    for (key, value) in [
      (PA_PROP_APPLICATION_NAME, "Segue"), (PA_PROP_APPLICATION_ID, "segue"), (PA_PROP_MEDIA_ROLE, "music"),
      (PA_PROP_APPLICATION_ICON_NAME, "multimedia-player"),
    ] { _ = unsafe library.pointee.proplist_sets(properties, key, value) }
    guard
      let context = unsafe library.pointee.context_new_with_proplist(
        library.pointee.threaded_mainloop_get_api(mainloop), "Segue", properties)
    else {
      unsafe library.pointee.threaded_mainloop_free(mainloop)
      throw OutputError(kind: .cannotOpen, description: "\(name): no resources left")
    }
    unsafe self.context = context
    do throws(OutputError) {
      try unsafe connect(sink: sink, properties)
    } catch {
      close()
      throw error
    }
  }

  private func connect(sink: String?, _ properties: OpaquePointer?) throws(OutputError) {
    unsafe library.pointee.context_set_state_callback(context, { unsafe PulseConnection.signal($1) }, userData)
    guard unsafe library.pointee.context_connect(context, nil, PA_CONTEXT_NOFLAGS, nil) >= 0,
      unsafe library.pointee.threaded_mainloop_start(mainloop) >= 0
    else { throw failure(.cannotOpen) }
    try locked { () throws(OutputError) in
      while true {
        let state = unsafe library.pointee.context_get_state(context)
        if state == PA_CONTEXT_READY { break }
        guard state != PA_CONTEXT_FAILED, state != PA_CONTEXT_TERMINATED else { throw failure(.cannotOpen) }
        unsafe library.pointee.threaded_mainloop_wait(mainloop)
      }
      // A buffer that is short at first would let the server wake up later for ever.
      let probableSink = sink ?? "@DEFAULT_SINK@"
      let result = unsafe probableSink.withCString { name in
        Result { () throws(OutputError) in try unsafe askAboutSink(name) }
      }
      try result.get()
      try unsafe openStream(sink: sink, properties)
    }
  }

  private func openStream(sink: String?, _ properties: OpaquePointer?) throws(OutputError) {
    let sampleFormat =
      switch format.depth {
      case .bits16: PA_SAMPLE_S16LE
      case .bits24: PA_SAMPLE_S24LE
      case .bits32: PA_SAMPLE_S32LE
      }
    var specification = pa_sample_spec(
      format: sampleFormat, rate: UInt32(clamping: format.sampleRate), channels: UInt8(clamping: format.channels))
    var map = unsafe PulseChannels.map(format.channels, library)
    let stream = unsafe library.pointee.stream_new_with_proplist(context, "music", &specification, &map, properties)
    guard let stream = unsafe stream else { throw failure(.unsupportedFormat) }
    unsafe self.stream = stream
    unsafe library.pointee.stream_set_state_callback(stream, { unsafe PulseConnection.recordChange($1) }, userData)
    unsafe library.pointee.stream_set_moved_callback(stream, { unsafe PulseConnection.recordChange($1) }, userData)
    unsafe library.pointee.stream_set_suspended_callback(stream, { unsafe PulseConnection.recordChange($1) }, userData)
    unsafe library.pointee.stream_set_event_callback(
      stream, { unsafe PulseConnection.receive(event: $1, $3) }, userData)
    var buffer = bufferAttributes
    let flags = pa_stream_flags_t(
      PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_START_CORKED.rawValue
        | (staysOnSink ? PA_STREAM_DONT_MOVE.rawValue : 0))
    guard unsafe library.pointee.stream_connect_playback(stream, sink, &buffer, flags, nil, nil) >= 0 else {
      throw failure(.cannotOpen)
    }
    while true {
      let state = unsafe library.pointee.stream_get_state(stream)
      if state == PA_STREAM_READY { break }
      guard state != PA_STREAM_FAILED, state != PA_STREAM_TERMINATED else { throw failure(.cannotOpen) }
      unsafe library.pointee.threaded_mainloop_wait(mainloop)
    }
    hasChanged = true
    followMixer()
  }

  private var bufferAttributes: pa_buffer_attr {
    // The server divides what exceeds two requests equally between the device and the stream.
    let duration = canSinkRewind ? Self.deepBuffer : Self.shallowBuffer
    let device = min(bufferFrames / 4, Int(duration / .seconds(1) * Double(format.sampleRate)))
    let request = (bufferFrames - 2 * device) / 2
    return pa_buffer_attr(
      maxlength: UInt32.max, tlength: UInt32(clamping: bufferFrames * format.frameByteCount),
      // The server does not stop at the end of what was written.
      prebuf: 0,
      minreq: UInt32(clamping: request * format.frameByteCount), fragsize: UInt32.max)
  }

  // MARK: The stream

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int) throws(OutputError) {
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      guard
        unsafe library.pointee.stream_write(
          stream, bytes.baseAddress, bytes.count, nil, Int64(position), PA_SEEK_ABSOLUTE) >= 0
      else { throw failure(.lost) }
    }
  }

  func write(_ bytes: [UInt8], at position: Int) throws(OutputError) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(OutputError) in try unsafe write(bytes, at: position) }
    }
    try result.get()
  }

  /// Sets what plays, for the desktop's mixer.
  func describe(_ description: PulseServer.Description) throws(OutputError) {
    guard let properties = unsafe library.pointee.proplist_new() else { return }
    defer { unsafe library.pointee.proplist_free(properties) }
    let name = [description.artist, description.title].compactMap(\.self).joined(separator: " – ")
    for (key, value) in [
      (PA_PROP_MEDIA_NAME, name.isEmpty ? "music" : name), (PA_PROP_MEDIA_TITLE, description.title ?? ""),
      (PA_PROP_MEDIA_ARTIST, description.artist ?? ""),
    ] { _ = unsafe library.pointee.proplist_sets(properties, key, value) }
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      let operation = unsafe library.pointee.stream_proplist_update(stream, PA_UPDATE_REPLACE, properties, nil, nil)
      if let operation = unsafe operation { unsafe library.pointee.operation_unref(operation) }
    }
  }

  /// Finds out again what the sink can do, which may be another one now, and adapts its part of the buffer to that.
  func adaptToSink() throws(OutputError) {
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      guard let sink = unsafe library.pointee.stream_get_device_name(stream) else { return }
      let name = unsafe String(cString: sink)
      if name != sinkName {
        sinkName = name
        callbacks.onSinkChange(name)
      }
      let couldRewind = canSinkRewind
      try unsafe askAboutSink(sink)
      guard canSinkRewind != couldRewind else { return }
      var attributes = bufferAttributes
      try unsafe finish(library.pointee.stream_set_buffer_attr(stream, &attributes, Self.onSuccess, userData))
    }
  }

  private func askAboutSink(_ name: UnsafePointer<CChar>) throws(OutputError) {
    (isPipeWire, isSoundCard, hasFlatVolume) = (false, false, false)
    try unsafe finish(
      library.pointee.context_get_server_info(context, { unsafe PulseConnection.receive(server: $1, $2) }, userData))
    try unsafe finish(
      library.pointee.context_get_sink_info_by_name(
        context, name, { unsafe PulseConnection.receive(sink: $1, $3) }, userData))
    canSinkRewind = isSoundCard && !isPipeWire
  }

  /// Returns whether the sink is suspended, and plays nothing, if something has happened to the stream since the last
  /// call; otherwise `nil`.
  func takeSuspension() throws(OutputError) -> Bool? {
    try locked { () throws(OutputError) in
      guard hasChanged else { return nil }
      hasChanged = false
      return try isSuspended()
    }
  }

  /// Returns whether the sink is suspended, as far as the server has reported it.
  func isSuspendedNow() throws(OutputError) -> Bool { try locked { () throws(OutputError) in try isSuspended() } }

  private func isSuspended() throws(OutputError) -> Bool {
    unsafe library.pointee.stream_is_suspended(try unsafe readyStream()) > 0
  }

  /// Calls `notify` on libpulse's thread whenever something happens to the stream.
  func onChange(_ notify: @escaping @Sendable () -> Void) {
    try? locked { () throws(OutputError) in self.notify = notify }
  }

  /// Stops the stream, or lets it continue. Returns when the server has done so if it stops.
  func cork(_ isCorked: Bool) throws(OutputError) {
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      try unsafe finish(library.pointee.stream_cork(stream, isCorked ? 1 : 0, Self.onSuccess, userData))
    }
  }

  /// Drops what the server has not played. Returns the position of the next frame, in bytes.
  func flush() throws(OutputError) -> Int {
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      try unsafe finish(library.pointee.stream_flush(stream, Self.onSuccess, userData))
      try unsafe finish(library.pointee.stream_update_timing_info(stream, Self.onSuccess, userData))
      guard let info = unsafe library.pointee.stream_get_timing_info(stream) else { throw failure(.lost) }
      return Int(unsafe info.pointee.write_index)
    }
  }

  /// Returns what the server says of the stream now; `nil` if it cannot say.
  func timing() throws(OutputError) -> Timing? {
    try locked { () throws(OutputError) in
      let stream = try unsafe readyStream()
      try unsafe finish(library.pointee.stream_update_timing_info(stream, Self.onSuccess, userData))
      guard let info = unsafe library.pointee.stream_get_timing_info(stream),
        unsafe info.pointee.read_index_corrupt == 0
      else { return nil }
      let latency = unsafe Self.microseconds(info.pointee.sink_usec) - Self.microseconds(info.pointee.transport_usec)
      let limit = Int64.max / 2
      return Timing(
        readIndex: Int(unsafe min(max(info.pointee.read_index, -limit), limit)), latencyMicroseconds: latency,
        deviceMicroseconds: unsafe Self.microseconds(info.pointee.configured_sink_usec))
    }
  }

  /// Returns the server's value, which may be negative although its type is unsigned, within a minute.
  private static func microseconds(_ value: pa_usec_t) -> Int {
    min(max(Int(truncatingIfNeeded: value), -60_000_000), 60_000_000)
  }

  /// Closes the connection. Does nothing if it is closed.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    unsafe library.pointee.threaded_mainloop_lock(mainloop)
    if let stream = unsafe stream {
      _ = unsafe library.pointee.stream_disconnect(stream)
      unsafe library.pointee.stream_unref(stream)
    }
    unsafe library.pointee.context_disconnect(context)
    unsafe library.pointee.context_unref(context)
    unsafe library.pointee.threaded_mainloop_unlock(mainloop)
    unsafe library.pointee.threaded_mainloop_stop(mainloop)
    unsafe library.pointee.threaded_mainloop_free(mainloop)
  }

  // MARK: Waiting

  /// What libpulse passes to the callbacks. None is called once the connection is closed, before it is deallocated.
  var userData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static let onSuccess: pa_stream_success_cb_t = { unsafe PulseConnection.signal($2) }

  /// Returns the connection that was passed to libpulse as `userData`.
  static func connection(_ userData: UnsafeMutableRawPointer?) -> PulseConnection? {
    unsafe userData.map { unsafe Unmanaged<PulseConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Wakes the thread that waits for the server. Called on libpulse's thread.
  private static func signal(_ userData: UnsafeMutableRawPointer?) {
    guard let connection = unsafe connection(userData) else { return }
    unsafe connection.library.pointee.threaded_mainloop_signal(connection.mainloop, 0)
  }

  private static func receive(server info: UnsafePointer<pa_server_info>?, _ userData: UnsafeMutableRawPointer?) {
    guard let connection = unsafe connection(userData) else { return }
    if let info = unsafe info, let name = unsafe info.pointee.server_name {
      connection.isPipeWire = unsafe String(cString: name).contains("PipeWire")
    }
    unsafe signal(userData)
  }

  private static func receive(sink info: UnsafePointer<pa_sink_info>?, _ userData: UnsafeMutableRawPointer?) {
    guard let connection = unsafe connection(userData) else { return }
    if let info = unsafe info {
      let flags = unsafe info.pointee.flags.rawValue
      connection.hasFlatVolume = flags & PA_SINK_FLAT_VOLUME.rawValue != 0
      let interface = unsafe connection.library.pointee.proplist_gets(info.pointee.proplist, PA_PROP_DEVICE_API)
      connection.isSoundCard =
        unsafe interface.map { unsafe String(cString: $0) == "alsa" } == true
        && flags & PA_SINK_DYNAMIC_LATENCY.rawValue != 0
        && info.pointee.sample_spec.rate == UInt32(clamping: connection.format.sampleRate)
    }
    unsafe signal(userData)
  }

  /// Records that something has happened to the stream. Called on libpulse's thread.
  private static func recordChange(_ userData: UnsafeMutableRawPointer?) {
    guard let connection = unsafe connection(userData) else { return }
    connection.hasChanged = true
    // The server does not report the end of a pause to a stream that has ended. If the reason for it lasts, the server
    // asks the next stream for a pause.
    let stream = try? unsafe connection.readyStream()
    if unsafe stream == nil { connection.endPause() }
    connection.notify()
    unsafe signal(userData)
  }

  func readyStream() throws(OutputError) -> OpaquePointer {
    guard let stream = unsafe stream, unsafe library.pointee.stream_get_state(stream) == PA_STREAM_READY else {
      throw failure(.lost)
    }
    return unsafe stream
  }

  /// Waits until the server has answered.
  private func finish(_ operation: OpaquePointer?) throws(OutputError) {
    guard let operation = unsafe operation else { throw failure(.lost) }
    defer { unsafe library.pointee.operation_unref(operation) }
    while unsafe library.pointee.operation_get_state(operation) == PA_OPERATION_RUNNING {
      guard unsafe library.pointee.context_get_state(context) == PA_CONTEXT_READY else { throw failure(.lost) }
      unsafe library.pointee.threaded_mainloop_wait(mainloop)
    }
  }

  func locked<Value>(_ body: () throws(OutputError) -> Value) throws(OutputError) -> Value {
    guard !isClosed else { throw OutputError(kind: .lost, description: "\(name): the connection is closed") }
    unsafe library.pointee.threaded_mainloop_lock(mainloop)
    defer { unsafe library.pointee.threaded_mainloop_unlock(mainloop) }
    return try body()
  }

  func failure(_ kind: OutputError.Kind) -> OutputError {
    let code = unsafe library.pointee.context_errno(context)
    let message = unsafe library.pointee.strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return OutputError(kind: kind, description: "\(name): \(message)")
  }
}
