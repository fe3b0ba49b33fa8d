import Foundation
public import SystemPackage

/// A directory that goes with its object.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let path: FilePath

  /// Makes one, which only this user may enter.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("segue-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = FilePath(url.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  /// The path of `name` in it.
  public func file(_ name: String) -> FilePath { path.appending(name) }

  /// Writes `bytes` to the file `name`.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> FilePath {
    let path = file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    return path
  }
}

/// The bytes of the file at `path`.
public func contents(of path: FilePath) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path.string)))
}
