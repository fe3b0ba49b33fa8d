import Platform
public import SystemPackage

/// The file of an SQLite database, and those that belong to it: their names end in `-wal` and `-shm`.
public struct DatabaseFile: Sendable {
  /// Where the file is.
  public let path: FilePath

  /// The database at `path`.
  public init(_ path: FilePath) { self.path = path }

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
