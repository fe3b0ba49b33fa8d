import FoundationEssentials
import Platform
public import SystemPackage

/// A file of the state directory that keeps a value for other processes: JSON, always whole.
public struct StateFile<Value: Codable & Sendable>: Sendable {
  /// A larger file was not written by Segue.
  private static var sizeLimit: Int { 1 << 30 }

  /// Where it is.
  public let path: FilePath

  init(_ name: FilePath.Component, in directory: FilePath) { path = directory.appending(name) }

  /// The value that was written last, or `nil` where none ever was.
  public func read() throws(StateFileFailure) -> Value? {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try AtomicFile.read(path, limit: Self.sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    guard let bytes else { return nil }
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else { throw .damaged }
    return value
  }

  /// Replaces the value.
  ///
  /// - Throws: `Errno` where it cannot be written; the old one is then as it was.
  public func write(_ value: Value) throws(Errno) {
    guard let data = try? JSONEncoder().encode(value) else { throw .invalidArgument }
    try AtomicFile.write(data, to: path)
  }
}

/// Why a state file gives no value.
public enum StateFileFailure: Error, Sendable, Equatable {
  /// The file cannot be read.
  case unreadable(Errno)
  /// The file does not hold such a value.
  case damaged
}

extension StateFile where Value == PlayerStatus {
  /// What the player that keeps its state in `directory` does.
  public static func status(in directory: FilePath) -> StateFile { StateFile("status.json", in: directory) }
}
