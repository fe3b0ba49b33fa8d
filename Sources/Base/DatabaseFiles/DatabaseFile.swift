public import GRDB
import Platform
public import SystemPackage

/// The file of an SQLite database, and those that belong to it: their names end in `-wal` and `-shm`.
///
/// The one way to a database on disk. How its connections wait and what a loss of power costs is the same for all: none
/// of what was committed but the last, and never the whole (`synchronous = NORMAL`, in WAL mode).
public struct DatabaseFile: Sendable {
  /// What a connection is for.
  public enum Access: Sendable {
    case reading
    case writing
    /// Writing or, in a directory that cannot be written, reading.
    case anyPossible
  }

  /// How long a connection waits for other processes, in seconds.
  public static let patience: UInt64 = 5

  /// Where the file is.
  public let path: FilePath

  /// The database at `path`.
  public init(_ path: FilePath) { self.path = path }

  /// Connects to the database, which `.writing` and `.anyPossible` make where it is missing.
  ///
  /// - Parameters:
  ///   - label: what its queue is called.
  ///   - prepare: what is done with the connection before anything else.
  /// - Throws: `DatabaseError`; `Errno` where the path is no text, and cannot be opened otherwise.
  public func connect(
    _ access: Access, label: String, prepare: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    guard let name = String(validating: path) else {
      return try connectByNumber(access, label: label, prepare: prepare)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(Self.patience))
    configuration.label = label
    configuration.foreignKeysEnabled = false
    configuration.readonly = access == .reading
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = NORMAL")
      try prepare(database)
    }
    do {
      return try DatabaseQueue(path: name, configuration: configuration)
    } catch let error as DatabaseError
      where access != .writing && [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      // In a directory that cannot be written, what nobody writes to can still be read.
      guard (try? FileStatus(of: path)) != nil, logSize == 0, let uri = immutableURI else { throw error }
      configuration.readonly = true
      return try DatabaseQueue(path: uri, configuration: configuration)
    }
  }

  /// The same for a path that is no text, by the name that Linux gives to an open directory: SQLite follows that to the
  /// bytes.
  private func connectByNumber(
    _ access: Access, label: String, prepare: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    guard let file = path.lastComponent, String(validating: file) != nil else { throw Errno.illegalByteSequence }
    let directory = try FileDescriptor.open(path.removingLastComponent(), .readOnly, options: [.closeOnExec])
    return try directory.closeAfter {
      try DatabaseFile(FilePath("/proc/self/fd/\(directory.rawValue)").appending(file))
        .connect(access, label: label, prepare: prepare)
    }
  }

  /// How many bytes were written that are not yet in the file.
  public var logSize: Int64 { (try? FileStatus(of: path.appendingToName("-wal")))?.size ?? 0 }

  /// The URI by which it is read where its directory cannot be written, while nobody writes to it; `nil` where its path
  /// is no text.
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

  /// Whether the file is there and has nothing in it.
  public var isEmpty: Bool { (try? FileStatus(of: path)).map { $0.kind == .regular && $0.size == 0 } ?? false }

  /// Makes an empty file that its owner alone may read and write, where there is none: SQLite takes that for a new
  /// database, and gives the files that belong to it the same permissions. Says whether it was made; what is wrong
  /// shows when it is opened.
  @discardableResult
  public func makePrivate() -> Bool {
    let file = try? FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerReadWrite])
    try? file?.close()
    return file != nil
  }

  /// Gives the file, and those that belong to it, names that end in `.damaged-` and this day, and gives the new path.
  ///
  /// - Throws: `Errno` where that is not possible; nothing has another name then.
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
  /// This path with `suffix` at the end of its name, byte by byte.
  fileprivate func appendingToName(_ suffix: String) -> FilePath {
    FilePath(systemBytes: systemBytes + Array(suffix.utf8))
  }
}
