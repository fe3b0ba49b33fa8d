// SPDX-License-Identifier: GPL-3.0-or-later

public import DatabaseFiles
public import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// The queues in a state directory, each in a database of its own: the standard one in the directory itself, every
/// other one in a directory of its own in `queues`. The file `current-queue` has the name of the current one.
public final class QueueDirectory: QueueCollection {
  private static let databaseFile = "state.sqlite"
  /// The maximum size of the file with the name of the current queue, in bytes.
  private static let byteLimit = 1_024

  private let directory: FilePath
  private let moves: @Sendable (_ since: Int64) -> FileMoves
  private let databases = Mutex<[QueueName: StateDatabase]>([:])

  /// Creates access to the queues in `directory`. `moves` returns the moves of files that scans of the library after
  /// this one have found; a queue that is read follows them.
  public init(
    directory: FilePath, moves: @escaping @Sendable (_ since: Int64) -> FileMoves = { FileMoves(lastScan: $0) }
  ) {
    self.directory = directory
    self.moves = moves
  }

  /// Checks the databases of all queues in `directory`, and changes nothing. Returns their paths, and what was found;
  /// `nil` if there is none. Reads all of them.
  public static func reports(in directory: FilePath) -> [(path: FilePath, report: DatabaseReport?)] {
    let queues = QueueDirectory(directory: directory)
    return queues.names.sorted { $0.description < $1.description }.map {
      StateDatabase.report(in: queues.directory(of: $0))
    }
  }

  public var current: QueueName {
    guard let bytes = try? AtomicFile.read(currentFile, limit: Self.byteLimit),
      let text = String(validating: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    else { return .standard }
    return QueueName(text) ?? .standard
  }

  public var names: [QueueName] {
    let entries = (try? DirectoryListing(of: directory.appending("queues")))?.entries ?? []
    let stored = entries.compactMap { Self.name(of: $0.name) }.filter { name in
      // A process that was killed when it created the file has left it empty.
      let status = try? FileStatus(of: directory(of: name).appending(Self.databaseFile))
      return status?.kind == .regular && status?.size != 0
    }
    return Array(Set(stored + [.standard, current]))
  }

  public func repository(of name: QueueName) -> any QueueRepository {
    databases.withLock { databases in
      let database = databases[name] ?? StateDatabase(directory: directory(of: name), moves: moves)
      databases[name] = database
      return database
    }
  }

  public func setCurrent(_ name: QueueName) throws(QueueStorageError) {
    if name == current { return }
    do throws(Errno) { try AtomicFile.write("\(name)\n".utf8, to: currentFile) } catch {
      throw StateFiles.reportedError(error, currentFile)
    }
  }

  public func delete(_ name: QueueName) throws(QueueStorageError) {
    guard name != .standard else { return }
    databases.withLock { $0.removeValue(forKey: name) }?.close()
    let directory = directory(of: name)
    // As long as the database is there, so is the queue. What it has not written back is no part of a later one.
    for file in ["\(Self.databaseFile)-wal", "\(Self.databaseFile)-shm", "heard", Self.databaseFile] {
      do throws(Errno) { try AtomicFile.remove(directory.appending(file)) } catch .noSuchFileOrDirectory {} catch {
        throw QueueStorageError(.unwritten, "cannot delete \(directory.appending(file).shown): \(error)")
      }
    }
    // What was set aside stays.
    try? AtomicFile.removeEmptyDirectory(directory)
  }

  public func close() {
    for database in databases.withLock(\.self).values { database.close() }
  }

  private var currentFile: FilePath { directory.appending("current-queue") }

  private func directory(of name: QueueName) -> FilePath {
    name == .standard ? directory : directory.appending("queues").appending(Self.fileName(of: name))
  }

  // MARK: Names of directories

  /// Returns the name of a queue's directory. All bytes except those of small letters and digits are escaped, so that
  /// it is the same on every file system, and two names never differ only in case.
  private static func fileName(of name: QueueName) -> String {
    name.description.utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        text.append(Character(Unicode.Scalar(byte)))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
  }

  private static func name(of directory: FilePath.Component) -> QueueName? {
    let bytes = PercentEscapes.decoded(directory.string.utf8)
    guard let name = String(validating: bytes, as: UTF8.self).flatMap({ QueueName($0) }), name != .standard,
      fileName(of: name) == directory.string
    else { return nil }
    return name
  }
}
