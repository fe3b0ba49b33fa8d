import MusicLibrary
import Platform
import SystemPackage

/// Where a message bus listens, as far as that can be looked at.
enum BusPlace: Equatable {
  /// At this socket of the file system.
  case file(FilePath)
  /// Somewhere else.
  case elsewhere

  /// The place of the bus at `address` (D-Bus Specification, "Server Addresses").
  init(address: String) {
    let files = address.split(separator: ";").compactMap { Self.file(in: $0) }
    self = files.first.map { .file($0) } ?? .elsewhere
  }

  /// The place of the session bus; `nil` where there is no session that could have one.
  static var ofSession: BusPlace? {
    if let address = Environment.value("DBUS_SESSION_BUS_ADDRESS") { return BusPlace(address: address) }
    return Environment.value("XDG_RUNTIME_DIR").map { .file(FilePath($0).appending("bus")) }
  }

  /// Its socket, where that is a file.
  var file: FilePath? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Whether a bus may be there now.
  var mayBeThere: Bool { file.map { (try? FileStatus(of: $0)) != nil } ?? true }

  private static func file(in address: Substring) -> FilePath? {
    guard address.hasPrefix("unix:") else { return nil }
    let path = address.dropFirst(5).split(separator: ",").first { $0.hasPrefix("path=") }
    // The escapes are those of URIs.
    return path.flatMap { FilePath(fileURI: "file://\($0.dropFirst(5))") }
  }
}
