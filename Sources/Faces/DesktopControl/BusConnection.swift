import CSDBus
import Platform
import SystemPackage

/// A connection to the session bus. Of one thread.
@safe
final class BusConnection {
  /// The name that the player has on the bus, unless another has it.
  private static let name = "org.mpris.MediaPlayer2.segue"

  private let handle: OpaquePointer
  /// What the callbacks are given.
  private let face: BusFace

  /// Whether the library is there, which is loaded.
  static var canBeMade: Bool { CSDBusLoad() }

  /// Has the bus at `address`, or the session's where that is `nil`, see the player of `face`; `nil` where there is no
  /// bus. Blocks for some seconds at most.
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

  /// Answers what comes, until `pipe` is woken or so many milliseconds have passed, for ever where negative; `false`
  /// where the bus is gone.
  func serve(until pipe: WakePipe, milliseconds: Int64) -> Bool {
    defer { pipe.clear() }
    return unsafe CSDBusServe(handle, pipe.reader.rawValue, milliseconds)
  }

  /// Tells all who listen which properties have changed.
  func tell(_ changed: [PlayerProperty]) {
    for property in changed { unsafe CSDBusMarkChanged(handle, property.rawValue) }
    unsafe CSDBusTellChanged(handle)
  }

  /// Signals a change of the list of tracks.
  func signal(_ change: TrackWindow.Change) {
    guard let value = unsafe CSDBusBeginSignal(handle, change.signal) else { return }
    unsafe change.write(PropertyWriter(value))
    unsafe CSDBusSendSignal(handle, value)
  }

  /// Tells all who listen that playing went to another place.
  func tellSeeked(_ position: Duration) { unsafe CSDBusTellSeeked(handle, position.wholeMicroseconds) }
}
