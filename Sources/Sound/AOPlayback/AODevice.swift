// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CAO
import Platform
import SystemPackage

/// An open libao device, closed when this object is released. Only one thread at a time may use it.
@safe
final class AODevice: PlaybackDevice {
  private var handle: OpaquePointer?

  /// Opens a device with a driver that plays in real time.
  init(driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat) throws(AOError) {
    var list: UnsafeMutablePointer<ao_option>?
    defer { unsafe ao_free_options(list) }
    for (key, value) in options { unsafe ao_append_option(&list, key, value) }
    unsafe handle = try unsafe Self.opened(format, speakers: Self.speakers(of: format.channels)) { format in
      unsafe ao_open_live(ao_driver_id(driver.name), &format, list)
    }
  }

  /// Opens a file with a driver that writes files; creates or overwrites it.
  init(fileDriver name: String, path: FilePath, format: DeviceFormat) throws(AOError) {
    unsafe handle = try unsafe Self.opened(format, speakers: nil) { format in
      unsafe path.withPlatformString { path in
        unsafe ao_open_file(ao_driver_id(name), path, 1, &format, nil)
      }
    }
  }

  deinit { close() }

  func play(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let handle = unsafe handle, let start = bytes.baseAddress, let count = UInt32(exactly: bytes.count)
    else {
      return unsafe bytes.isEmpty
    }
    // libao takes the samples as mutable, but changes only copies of them.
    let samples = unsafe UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: CChar.self))
    return unsafe ao_play(handle, samples, count) != 0
  }

  func close() {
    guard let open = unsafe handle.take() else { return }
    unsafe _ = ao_close(open)
  }

  private static func opened(
    _ format: DeviceFormat, speakers: String?,
    by open: (inout ao_sample_format) -> OpaquePointer?
  ) throws(AOError) -> OpaquePointer {
    func attempt(_ speakers: UnsafeMutablePointer<CChar>?) -> (OpaquePointer?, Int32) {
      var sampleFormat = unsafe ao_sample_format(
        bits: Int32(format.depth.rawValue), rate: Int32(clamping: format.sampleRate),
        channels: Int32(format.channels), byte_format: AO_FMT_LITTLE, matrix: speakers)
      let handle = unsafe open(&sampleFormat)
      return unsafe (handle, lastErrorNumber())
    }
    var text = speakers.map { Array($0.utf8CString) } ?? []
    let (handle, code) = unsafe text.withUnsafeMutableBufferPointer {
      unsafe attempt(speakers == nil ? nil : $0.baseAddress)
    }
    guard let handle = unsafe handle else { throw AOError(code: code) }
    return unsafe handle
  }

  /// Returns libao's names of the speakers, in the channel order of WAV and FLAC files; `nil` if every driver uses this
  /// order by default.
  private static func speakers(of channels: Int) -> String? {
    switch channels {
    case 3: "L,R,C"
    case 4: "L,R,BL,BR"
    case 5: "L,R,C,BL,BR"
    case 6: "L,R,C,LFE,BL,BR"
    case 7: "L,R,C,LFE,BC,SL,SR"
    case 8: "L,R,C,LFE,BL,BR,SL,SR"
    default: nil
    }
  }
}

/// An open playback device. Only one thread at a time may use it.
protocol PlaybackDevice: AnyObject {
  /// Plays `bytes`; blocks until the device has accepted them. Returns `false` if the device is lost.
  func play(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Plays everything that was accepted, and closes the device. No call may follow.
  func close()
}

/// The error that is thrown when libao cannot open a device or file.
struct AOError: Error, Hashable {
  /// libao's own error code, which it stores in `errno` with a meaning of its own.
  let code: Int32
  /// The text that libraries wrote to standard error during the call: the only explanation of why a device did not
  /// open.
  var report = ""

  /// A description of the error for the user.
  var message: String {
    if isBusy { return "the device is in use by another program" }
    return switch code {
    case AO_ENODRIVER: "no such driver"
    case AO_ENOTFILE: "the driver does not write files"
    case AO_ENOTLIVE: "the driver only writes files"
    case AO_EBADOPTION: "the driver does not accept this device name"
    case AO_EOPENDEVICE: "the device could not be opened"
    case AO_EOPENFILE: "the file could not be opened"
    case AO_EFILEEXISTS: "the file already exists"
    case AO_EBADFORMAT: "the driver does not support this sample format"
    default: "the driver failed"
    }
  }

  /// Whether another program is using the device.
  var isBusy: Bool { report.contains("Device or resource busy") }

  /// Whether trying other formats is pointless, because the device would not open in any of them.
  var isFinal: Bool {
    isBusy || report.contains("No such file or directory") || report.contains("No such device")
  }
}
