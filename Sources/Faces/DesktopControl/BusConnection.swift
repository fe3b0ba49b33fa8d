// SPDX-License-Identifier: GPL-3.0-or-later

import CSDBus
import Platform
import SystemPackage

/// A connection to the session bus. For use on one thread.
@safe
final class BusConnection {
  /// The name of the player on the bus, unless another process has it.
  private static let name = "org.mpris.MediaPlayer2.segue"

  private let handle: OpaquePointer
  /// The context of the callbacks.
  private let face: BusFace

  /// Whether libsystemd is available. Loads it.
  static var canBeMade: Bool { CSDBusLoad() }

  /// Connects to the bus at `address`, or to the session bus if that is `nil`, and shows the player of `face` there.
  /// Returns `nil` if there is no bus. Blocks for a few seconds at most.
  init?(_ face: BusFace, at address: String?) {
    let callbacks = unsafe CSDBusFace(
      describe: { context, name, value in
        guard let face = unsafe BusFace.at(context), let name = unsafe name, let value = unsafe value else {
          return
        }
        let property = unsafe PlayerProperty(rawValue: String(cString: name))
        if let property { unsafe face.describe(property, PropertyWriter(value)) }
      },
      obey: { context, name, argument in
        guard let face = unsafe BusFace.at(context), let name = unsafe name else { return nil }
        let command = unsafe PlayerCommand(String(cString: name), argument)
        guard let refusal = command.flatMap({ face.obey($0) }) else { return nil }
        return unsafe refusal.text
      },
      describeTracks: { context, paths, count, value in
        guard let face = unsafe BusFace.at(context), let value = unsafe value else { return }
        let paths = unsafe UnsafeBufferPointer(start: paths, count: Int(count)).compactMap { path in
          unsafe path.map { unsafe String(cString: $0) }
        }
        unsafe face.describe(tracks: paths, PropertyWriter(value))
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

  /// Answers requests until `pipe` is woken or `milliseconds` have passed; a negative number means no limit. Returns
  /// `false` if the connection to the bus is lost.
  func serve(until pipe: WakePipe, milliseconds: Int64) -> Bool {
    defer { pipe.clear() }
    return unsafe CSDBusServe(handle, pipe.reader.rawValue, milliseconds)
  }

  /// Signals which properties have changed.
  func tell(_ changed: [PlayerProperty]) {
    for property in changed { unsafe CSDBusMarkChanged(handle, property.rawValue) }
    unsafe CSDBusTellChanged(handle)
  }

  /// Signals a change of the track list.
  func signal(_ change: TrackWindow.Change) {
    guard let value = unsafe CSDBusBeginSignal(handle, change.signal) else { return }
    unsafe change.write(PropertyWriter(value))
    unsafe CSDBusSendSignal(handle, value)
  }

  /// Signals that the position has jumped.
  func tellSeeked(_ position: Duration) { unsafe CSDBusTellSeeked(handle, position.wholeMicroseconds) }
}

/// Writes values into a reply or a signal, while the bus requests them or until it is sent.
@safe
struct PropertyWriter {
  private let value: OpaquePointer

  /// Creates a writer for `value`.
  init(_ value: OpaquePointer) { unsafe self.value = unsafe value }

  func write(_ text: String) { unsafe CSDBusWriteText(value, text) }
  func write(_ flag: Bool) { unsafe CSDBusWriteFlag(value, flag) }
  func write(_ number: Double) { unsafe CSDBusWriteNumber(value, number) }
  /// Writes a time in microseconds.
  func write(_ time: Duration) { unsafe CSDBusWriteInteger(value, time.wholeMicroseconds) }

  /// Writes an object path.
  func write(objectPath: String) { unsafe CSDBusWritePath(value, objectPath) }

  /// Writes a list of object paths.
  func write(objectPaths: [String]) {
    unsafe CSDBusBeginPaths(value)
    for path in objectPaths { write(objectPath: path) }
    unsafe CSDBusEndPaths(value)
  }

  /// Writes metadata as one dictionary.
  func write(whole metadata: TrackMetadata) {
    unsafe CSDBusBeginTrack(value)
    write(metadata)
    unsafe CSDBusEndTrack(value)
  }

  /// Writes the entries of metadata.
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
  /// The maximum length of a text in Unicode scalars.
  private static var busLimit: Int { 4096 }

  /// The text for the bus, truncated to the limit. NUL and noncharacters, for which sd-bus rejects the whole message,
  /// are replaced.
  var onBus: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(Self.busLimit).map { $0.isOnBus ? $0 : "\u{FFFD}" })
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var isOnBus: Bool {
    value != 0 && value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(value)
  }
}
