// SPDX-License-Identifier: GPL-3.0-or-later

public import GRDB
import Platform
public import SystemPackage

/// An SQLite database file together with its companion files, whose names end in `-wal` and `-shm`.
///
/// Every database on disk is opened through this type. All connections have the same timeout and the same durability: a
/// power failure can lose the last commits, but never the whole database (`synchronous = NORMAL`, in WAL mode).
public struct DatabaseFile: Sendable {
  /// The kind of access that a connection needs.
  public enum Access: Sendable {
    case reading
    case writing
    /// Writing if possible; only reading if the directory cannot be written to.
    case anyPossible
  }

  /// How long a connection waits for a lock that another process holds, in seconds.
  public static let timeout: UInt64 = 5

  public let path: FilePath

  /// Creates a reference to the database at `path`.
  public init(_ path: FilePath) { self.path = path }

  /// Connects to the database. With `.writing` and `.anyPossible`, creates it if it is missing.
  ///
  /// - Parameters:
  ///   - label: The label of the connection's dispatch queue.
  ///   - prepare: Called with each new connection before it is used.
  /// - Throws: `DatabaseError`, or `Errno` if the path is not valid UTF-8 and cannot be opened by other means.
  public func connect(
    _ access: Access, label: String, prepare: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    guard let name = String(validating: path) else {
      return try connectByDescriptor(access, label: label, prepare: prepare)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(Self.timeout))
    configuration.label = label
    configuration.foreignKeysEnabled = false
    configuration.readonly = access == .reading
    configuration.prepareDatabase { database in
      do {
        // This must be first, because the next statement reads the schema.
        try prepare(database)
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
      } catch {
        throw database.hadSystemError ? DatabaseError(resultCode: .SQLITE_IOERR) : error
      }
    }
    do {
      return try DatabaseQueue(path: name, configuration: configuration)
    } catch let error as DatabaseError
      where access != .writing && [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      // A database in a read-only directory can still be read, provided that nobody writes to it.
      guard (try? FileStatus(of: path)) != nil, logSize == 0, let uri = immutableURI else { throw error }
      configuration.readonly = true
      return try DatabaseQueue(path: uri, configuration: configuration)
    }
  }

  /// Connects to a database whose path is not valid UTF-8, by way of the name that Linux gives to the open directory
  /// (`/proc/self/fd/N`); SQLite resolves that name to the bytes of the path.
  private func connectByDescriptor(
    _ access: Access, label: String, prepare: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    guard let file = path.lastComponent, String(validating: file) != nil else { throw Errno.illegalByteSequence }
    let directory = try FileDescriptor.open(path.removingLastComponent(), .readOnly, options: [.closeOnExec])
    return try directory.closeAfter {
      try DatabaseFile(FilePath("/proc/self/fd/\(directory.rawValue)").appending(file))
        .connect(access, label: label, prepare: prepare)
    }
  }

  /// Opens an empty database in memory.
  ///
  /// - Parameter prepare: Called with the connection before it is used.
  public static func connectInMemory(
    label: String, prepare: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = label
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase(prepare)
    return try DatabaseQueue(configuration: configuration)
  }

  /// The size of the write-ahead log, in bytes; 0 if there is none.
  public var logSize: Int64 { (try? FileStatus(of: path.appendingToName("-wal")))?.size ?? 0 }

  /// The SQLite URI for reading the database in a read-only directory while nobody writes to it; `nil` if the path is
  /// not valid UTF-8.
  public var immutableURI: String? {
    guard let name = String(validating: path) else { return nil }
    var result = "file:"
    for byte in name.utf8 {
      let isPlain = byte == 0x2F || (byte > 0x2C && byte < 0x7F && byte != 0x3F)
      result +=
        isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return result + "?immutable=1"
  }

  /// Whether the file exists and is empty.
  public var isEmpty: Bool { (try? FileStatus(of: path)).map { $0.kind == .regular && $0.size == 0 } ?? false }

  /// Creates an empty file that only its owner can read and write, unless the file exists. Returns whether it was
  /// created.
  ///
  /// SQLite treats an empty file as a new database, and gives its companion files the same permissions. An error is not
  /// reported here, but when the database is opened.
  @discardableResult
  public func createPrivate() -> Bool {
    let file = try? FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerReadWrite])
    try? file?.close()
    return file != nil
  }

  /// Renames the file and its companions to names that end in `.damaged-` and today's date; returns the new path of the
  /// database.
  ///
  /// - Throws: `Errno` if the database file cannot be renamed; then no file was renamed.
  public func setAside() throws(Errno) -> FilePath {
    let day = CalendarDay.today
    let suffix = ".damaged-\(day.year)-\(Self.padded(day.month))-\(Self.padded(day.day))"
    var new = path.appendingToName(suffix)
    var number = 2
    while (try? FileStatus(of: new, followingLinks: false)) != nil, number < 10_000 {
      new = path.appendingToName("\(suffix)-\(number)")
      number += 1
    }
    try AtomicFile.move(path, to: new)
    for suffix in ["-wal", "-shm"] {
      try? AtomicFile.move(path.appendingToName(suffix), to: new.appendingToName(suffix))
    }
    return new
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension FilePath {
  /// Returns this path with the bytes of `suffix` appended to its last component.
  fileprivate func appendingToName(_ suffix: String) -> FilePath {
    FilePath(systemBytes: systemBytes + Array(suffix.utf8))
  }
}
