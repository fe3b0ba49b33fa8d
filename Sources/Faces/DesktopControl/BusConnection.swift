// SPDX-License-Identifier: GPL-3.0-or-later

import CSDBus
import Platform
import SystemPackage

/// A connection to the session bus, used on the bus thread only.
@safe
final class BusConnection {
  /// The bus name of the player. If another process owns it already, `.instance` and the process ID are appended.
  private static let name = "org.mpris.MediaPlayer2.segue"

  private let handle: OpaquePointer
  /// The object to which the callbacks of the connection are passed.
  private let face: BusFace

  /// Whether libsystemd is available. Reading this loads the library.
  static var isAvailable: Bool { CSDBusLoad() }

  /// Connects to the bus and publishes the player of `face` there. Returns `nil` if no bus can be reached. Blocks for a
  /// few seconds at most.
  ///
  /// - Parameter address: The address of the bus; `nil` for the session bus.
  init?(_ face: BusFace, at address: String?) {
    let callbacks = unsafe CSDBusCallbacks(
      describe: { context, name, value in
        guard let face = unsafe BusFace.at(context), let name = unsafe name, let value = unsafe value else {
          return
        }
        let property = unsafe PlayerProperty(rawValue: String(cString: name))
        if let property { unsafe face.describe(property, PropertyWriter(value)) }
      },
      execute: { context, name, argument in
        guard let face = unsafe BusFace.at(context)?.face, let name = unsafe name else { return nil }
        let refusal = unsafe face.execute(
          String(cString: name), text: argument.text.map { unsafe String(cString: $0) } ?? "",
          time: .microseconds(argument.integer), flag: argument.flag, number: argument.number)
        // A static string is never freed.
        return unsafe refusal.map { unsafe UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) }
      })
    let context = unsafe Unmanaged.passUnretained(face).toOpaque()
    let opened =
      if let address {
        unsafe CSDBusOpen(address, Self.name, callbacks, context)
      } else {
        unsafe CSDBusOpen(nil, Self.name, callbacks, context)
      }
    guard let handle = unsafe opened else { return nil }
    unsafe self.handle = unsafe handle
    self.face = face
  }

  deinit { unsafe CSDBusClose(handle) }

  /// Answers requests until `pipe` is woken or the time has passed. Returns `false` if the connection to the bus is
  /// lost.
  ///
  /// - Parameter milliseconds: The maximum time to serve; negative for no limit.
  func serve(until pipe: WakePipe, milliseconds: Int64) -> Bool {
    defer { pipe.clear() }
    return unsafe CSDBusServe(handle, pipe.reader.rawValue, milliseconds)
  }

  /// Signals that these properties have changed.
  func signalChanged(_ changed: [PlayerProperty]) {
    for property in changed { unsafe CSDBusMarkChanged(handle, property.rawValue) }
    unsafe CSDBusSignalChanged(handle)
  }

  /// Signals that the elapsed time has jumped to `position`.
  func signalSeeked(_ position: Duration) { unsafe CSDBusSignalSeeked(handle, position.wholeMicroseconds) }
}

/// Writes the value of a property. It is valid only until the value is sent.
@safe
struct PropertyWriter {
  private let value: OpaquePointer

  /// Creates a writer that appends to the message `value`.
  init(_ value: OpaquePointer) { unsafe self.value = unsafe value }

  func write(_ text: String) { unsafe CSDBusWriteText(value, text) }
  func write(_ flag: Bool) { unsafe CSDBusWriteFlag(value, flag) }
  func write(_ number: Double) { unsafe CSDBusWriteNumber(value, number) }
  /// Writes a duration as a number of microseconds.
  func write(_ time: Duration) { unsafe CSDBusWriteInteger(value, time.wholeMicroseconds) }

  /// Writes the entries of a track's metadata into a dictionary that is already open.
  func write(_ metadata: TrackMetadata) {
    for entry in metadata.entries {
      switch entry.value {
      case .text(let text): unsafe CSDBusWriteTextEntry(value, entry.key, text)
      case .objectPath(let path): unsafe CSDBusWritePathEntry(value, entry.key, path)
      case .time(let microseconds): unsafe CSDBusWriteIntegerEntry(value, entry.key, microseconds)
      case .number(let number): unsafe CSDBusWriteShortEntry(value, entry.key, number)
      case .texts(let texts):
        unsafe CSDBusBeginListEntry(value, entry.key)
        for text in texts { unsafe CSDBusWriteText(value, text) }
        unsafe CSDBusEndListEntry(value)
      }
    }
  }
}

extension String {
  /// The maximum length of a string on the bus in Unicode scalars.
  private static var busLimit: Int { 4096 }

  /// The string as it can be sent on the bus: truncated to the maximum length, and with NUL and noncharacters replaced,
  /// because sd-bus rejects any message that contains them.
  var onBus: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(Self.busLimit).map { $0.isValidOnBus ? $0 : "\u{FFFD}" })
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var isValidOnBus: Bool {
    value != 0 && value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(value)
  }
}
