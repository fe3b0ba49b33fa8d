import FoundationEssentials
import Platform
public import SystemPackage

/// The file that keeps a ``QueueSnapshot``: JSON, always whole.
public struct QueueSnapshotFile: Sendable {
  /// Why there is no snapshot.
  public enum Failure: Error, Sendable, Equatable {
    /// The file cannot be read.
    case unreadable(Errno)
    /// The file does not hold a snapshot.
    case damaged
  }

  /// A larger file was not written by Segue.
  private static let sizeLimit = 1 << 30

  /// Where it is.
  public let path: FilePath

  /// The file in the state directory `directory`.
  public init(directory: FilePath) {
    path = directory.appending("queue.json")
  }

  /// The snapshot that was written last, or `nil` where none ever was.
  public func read() throws(Failure) -> QueueSnapshot? {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try AtomicFile.read(path, limit: Self.sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    guard let bytes else { return nil }
    guard let snapshot = try? JSONDecoder().decode(QueueSnapshot.self, from: Data(bytes)) else {
      throw .damaged
    }
    return snapshot
  }

  /// Replaces the snapshot.
  ///
  /// - Throws: `Errno` where it cannot be written; the old one is then as it was.
  public func write(_ snapshot: QueueSnapshot) throws(Errno) {
    guard let data = try? JSONEncoder().encode(snapshot) else { throw .invalidArgument }
    try AtomicFile.write(data, to: path)
  }
}
