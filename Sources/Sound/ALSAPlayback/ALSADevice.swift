// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import Platform

/// A device of ALSA, whose buffer is mapped into memory.
@safe
final class ALSADevice: PCMDevice {
  /// The types of devices: cards, also with settings for their mixer or HDMI; and, for tests, files and nothing.
  private static let types = [ALSATypeHardware, ALSATypeHooks, ALSATypeFile, ALSATypeNull].map { Int32($0) }
  /// The length of a period: how often the card interrupts the processor, and ALSA looks whether there is silence to
  /// add.
  private static let period = Duration.milliseconds(20)

  /// The longest delay behind the buffer that is believed, in seconds.
  private static let delayLimitSeconds = 5

  private(set) var bufferFrames = 0
  private(set) var periodFrames = 0
  private(set) var readAheadFrames = 0

  private let library: UnsafePointer<ALSALibrary>
  private let pcm: OpaquePointer
  private(set) var format: CardFormat
  private let name: String
  /// For each channel of the device, the channel of the frames that it plays; `nil` if their order is the same.
  private var order: [Int]?
  private var isClosed = false

  /// Opens a device by its name in ALSA, in the first of `formats` that it accepts; there is at least one.
  ///
  /// - Throws: `OutputError` if it cannot be opened; its kind is `unsupportedFormat` if another format may be accepted.
  init(_ formats: [CardFormat], name: String, buffer: Duration) throws(OutputError) {
    guard let library = unsafe ALSALibraryLoad() else {
      throw OutputError(kind: .cannotOpen, description: "alsa-exclusive: libasound is not installed")
    }
    var pcm: OpaquePointer?
    let status = unsafe library.pointee.open(
      &pcm, name, Int32(ALSAStreamPlayback), Int32(ALSAModeNonblocking))
    guard status >= 0, let pcm = unsafe pcm else {
      let reason =
        DeviceUse.explanation(of: status, for: name) ?? (unsafe String(cString: library.pointee.strerror(status)))
      throw OutputError(kind: .cannotOpen, description: "\(DeviceUse.outputName(name)): \(reason)")
    }
    unsafe self.library = library
    unsafe self.pcm = pcm
    format = formats[0]
    self.name = name
    do throws(OutputError) {
      // What ALSA itself mixes or converts does not say when it is audible.
      guard Self.types.contains(unsafe library.pointee.type(pcm)) else {
        throw failure("this is not a sound card's own device, such as hw:0; `--output alsa:\(name)` plays to others")
      }
      try configure(formats, buffer: buffer)
    } catch {
      close()
      throw error
    }
    order = unsafe SpeakerOrder.order(of: pcm, library, channels: format.channels)
  }

  deinit { close() }

  private func configure(_ formats: [CardFormat], buffer: Duration) throws(OutputError) {
    var parameters: OpaquePointer?
    guard unsafe library.pointee.hw_params_malloc(&parameters) >= 0, let parameters = unsafe parameters else {
      throw failure("no memory left")
    }
    defer { unsafe library.pointee.hw_params_free(parameters) }
    var accepted: CardFormat?
    for format in formats where accepted == nil {
      if try unsafe accepts(format, parameters, buffer: buffer) { accepted = format }
    }
    guard let accepted else {
      throw failure(
        "the device does not play \(format.sampleRate) Hz, \(format.channels) channels, \(format.samples)",
        kind: .unsupportedFormat)
    }
    format = accepted
    var (bufferFrames, periodFrames) = (UInt(0), UInt(0))
    try check(unsafe library.pointee.hw_params_get_buffer_size(parameters, &bufferFrames))
    try check(unsafe library.pointee.hw_params_get_period_size(parameters, &periodFrames, nil))
    guard (1...(1 << 26)).contains(bufferFrames), periodFrames <= bufferFrames else {
      throw failure("the device has a buffer of \(bufferFrames) frames")
    }
    (self.bufferFrames, self.periodFrames) = (Int(bufferFrames), Int(periodFrames))
    // A card that reports its position only once for each period may have read that much more.
    readAheadFrames = unsafe library.pointee.hw_params_is_batch(parameters) > 0 ? Int(periodFrames) : 0
    try addSilence(atMost: min(2 * periodFrames, bufferFrames - 1))
  }

  /// Returns whether the device accepts `format`, in which it is then, with a buffer of about this length.
  private func accepts(
    _ format: CardFormat, _ parameters: OpaquePointer, buffer: Duration
  ) throws(OutputError) -> Bool {
    try check(unsafe library.pointee.hw_params_any(pcm, parameters))
    // A plug-in must not convert what the card can play as it is, or would not play at all.
    _ = unsafe library.pointee.hw_params_set_rate_resample(pcm, parameters, 0)
    guard unsafe library.pointee.hw_params_set_access(pcm, parameters, Int32(ALSAAccessMemoryInterleaved)) >= 0 else {
      throw failure("the device's memory cannot be mapped")
    }
    guard unsafe library.pointee.hw_params_set_format(pcm, parameters, Int32(format.code)) >= 0,
      unsafe library.pointee.hw_params_set_channels(pcm, parameters, UInt32(clamping: format.channels)) >= 0,
      unsafe library.pointee.hw_params_set_rate(pcm, parameters, UInt32(clamping: format.sampleRate), 0) >= 0
    else { return false }
    var (bufferFrames, periodFrames) = (format.frames(in: buffer), format.frames(in: Self.period))
    try check(unsafe library.pointee.hw_params_set_buffer_size_near(pcm, parameters, &bufferFrames))
    try check(unsafe library.pointee.hw_params_set_period_size_near(pcm, parameters, &periodFrames, nil))
    // Some cards refuse only now what they have declared.
    return unsafe library.pointee.hw_params(pcm, parameters) >= 0
  }

  /// Lets ALSA put silence behind the last frame when the card is about to reach it, instead of what was there before.
  private func addSilence(atMost frames: UInt) throws(OutputError) {
    var parameters: OpaquePointer?
    guard unsafe library.pointee.sw_params_malloc(&parameters) >= 0, let parameters = unsafe parameters else {
      throw failure("no memory left")
    }
    defer { unsafe library.pointee.sw_params_free(parameters) }
    try check(unsafe library.pointee.sw_params_current(pcm, parameters))
    try check(unsafe library.pointee.sw_params_set_silence_threshold(pcm, parameters, frames))
    try check(unsafe library.pointee.sw_params_set_silence_size(pcm, parameters, frames))
    try check(unsafe library.pointee.sw_params(pcm, parameters))
  }

  // MARK: Playing

  func state() throws(PCMError) -> PCMState {
    var (room, delay) = (0, 0)
    try performing(unsafe library.pointee.avail_delay(pcm, &room, &delay))
    let replaceable = unsafe library.pointee.rewindable(pcm)
    // A driver may report any delay.
    let delayLimit = bufferFrames + Self.delayLimitSeconds * format.sampleRate
    return PCMState(
      room: max(0, min(room, bufferFrames)), replaceable: max(0, min(replaceable, bufferFrames)),
      unplayed: max(0, min(delay, delayLimit)))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(PCMError) {
    var written = 0
    while written < bytes.count {
      var areas: UnsafePointer<snd_pcm_channel_area_t>?
      var (offset, count) = (UInt(0), UInt((bytes.count - written) / format.frameByteCount))
      try performing(unsafe library.pointee.mmap_begin(pcm, &areas, &offset, &count))
      guard count > 0, offset <= bufferFrames, count <= UInt(bufferFrames) - offset,
        let area = unsafe areas?.pointee, let start = unsafe area.addr,
        unsafe area.step == UInt32(format.frameByteCount * 8), unsafe area.first == 0
      else { throw .lost("the device has no room for what it asked for") }
      let target = unsafe UnsafeMutableRawBufferPointer(
        start: start + Int(offset) * format.frameByteCount, count: Int(count) * format.frameByteCount)
      unsafe copy(UnsafeRawBufferPointer(rebasing: bytes[written..<(written + target.count)]), to: target)
      let committed = unsafe library.pointee.mmap_commit(pcm, offset, count)
      try performing(Int32(clamping: committed))
      guard committed == Int(count) else { throw .lost("the device accepted only a part of what was written") }
      written += target.count
    }
  }

  /// Copies frames in the order of the device's channels.
  private func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    guard let order else { return unsafe target.copyMemory(from: bytes) }
    let size = format.sampleSize
    for frame in stride(from: 0, to: bytes.count, by: format.frameByteCount) {
      for (channel, source) in order.enumerated() {
        let from = frame + source * size
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[(frame + channel * size)...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<(from + size)]))
      }
    }
  }

  func rewind(_ frames: Int) throws(PCMError) -> Int {
    let count = unsafe library.pointee.rewind(pcm, UInt(max(0, frames)))
    try performing(Int32(clamping: count))
    return min(count, frames)
  }

  func start() throws(PCMError) {
    guard unsafe library.pointee.state(pcm) == Int32(ALSAStatePrepared) else { return }
    try performing(unsafe library.pointee.start(pcm))
  }

  func reset() throws(PCMError) {
    _ = unsafe library.pointee.drop(pcm)
    try performing(unsafe library.pointee.prepare(pcm))
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    _ = unsafe library.pointee.drop(pcm)
    _ = unsafe library.pointee.close(pcm)
  }

  // MARK: Errors

  private func performing(_ status: Int32) throws(PCMError) {
    guard status < 0 else { return }
    if DeviceUse.isUnderrun(status) { throw .underrun }
    throw .lost(DeviceUse.lossReason(status) ?? (unsafe String(cString: library.pointee.strerror(status))))
  }

  private func check(_ status: Int32) throws(OutputError) {
    guard status < 0 else { return }
    throw failure(unsafe String(cString: library.pointee.strerror(status)))
  }

  private func failure(_ reason: String, kind: OutputError.Kind = .cannotOpen) -> OutputError {
    OutputError(kind: kind, description: "\(DeviceUse.outputName(name)): \(reason)")
  }
}

extension CardFormat {
  fileprivate func frames(in duration: Duration) -> UInt { UInt(duration / .seconds(1) * Double(sampleRate)) }
}

/// Why a call to a device failed.
enum PCMError: Error, Hashable {
  /// The device has played everything, and has stopped.
  case underrun
  /// The device was lost, or the system was asleep; with a description for the user.
  case lost(String)
}

/// What a device has to play.
struct PCMState: Hashable {
  /// The number of frames for which the buffer has room.
  var room: Int
  /// The number of frames in the buffer that can still be replaced.
  var replaceable: Int
  /// The number of frames that were written but are not audible yet, including those on their way behind the buffer.
  var unplayed: Int
}

/// A sound card's buffer in memory, from which the card plays by itself: one of ALSA, or a substitute in tests.
protocol PCMDevice: AnyObject {
  var bufferFrames: Int { get }

  /// The number of frames between two reports of the card.
  var periodFrames: Int { get }

  /// The maximum number of frames that the card reads ahead of those that are replaceable according to ``PCMState``.
  var readAheadFrames: Int { get }

  /// Returns what the device has to play now. Does not block.
  func state() throws(PCMError) -> PCMState

  /// Copies whole frames to the buffer, which has room for them.
  func write(_ bytes: UnsafeRawBufferPointer) throws(PCMError)

  /// Moves the position of the next frame back by up to `frames` frames; returns by how many.
  func rewind(_ frames: Int) throws(PCMError) -> Int

  /// Starts to play what the buffer contains. Does nothing if the device is playing.
  func start() throws(PCMError)

  /// Stops at once, drops what the buffer contains, and makes the device ready to start again.
  func reset() throws(PCMError)

  /// Stops at once, and releases the device.
  func close()
}
