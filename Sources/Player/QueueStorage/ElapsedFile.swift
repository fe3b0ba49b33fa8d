// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// A file beside the database that stores the elapsed time of the current item. Once a second, 32 bytes are overwritten
/// in place. A transaction would take a hundred times as much work, and let the log grow.
///
/// The file applies to one position stored in the database, and is valid as long as the database contains that
/// position. A process that is killed leaves the file behind. The next one that ends normally stores its contents in
/// the database and removes it.
struct ElapsedFile: ~Copyable {
  /// The position of the queue that the database contains.
  struct StoredPosition: Equatable {
    /// The ID of the current item; `nil` if there is none.
    var item: UInt64?
    /// The elapsed time of the item, in nanoseconds.
    var elapsed: Int64
  }

  private static let size = 32

  private let database: FilePath
  private var file: FileDescriptor?

  /// Creates the file for the database at `path`. The file is opened by the first write.
  init(of path: FilePath) { database = path }

  deinit { try? file?.close() }

  /// Writes the elapsed time `elapsed`, in nanoseconds. `position` is the position that the database contains.
  ///
  /// - Throws: `Errno` if the file cannot be written.
  mutating func write(_ elapsed: Int64, from position: StoredPosition) throws(Errno) {
    let file = if let file { file } else { try open() }
    self.file = file
    let record = Self.record(elapsed, position)
    let count = try asErrno {
      try unsafe record.withUnsafeBytes { try unsafe file.writeAll(toAbsoluteOffset: 0, $0) }
    }
    guard count == record.count else { throw .ioError }
  }

  /// Closes and removes the file.
  mutating func remove() {
    try? file.take()?.close()
    try? AtomicFile.remove(Self.path(database))
  }

  /// Returns the elapsed time in the file of the database at `path`, in nanoseconds; `nil` if the file applies to a
  /// position other than `position`, or is damaged.
  static func elapsed(of path: FilePath, from position: StoredPosition) -> Int64? {
    guard let bytes = try? AtomicFile.read(Self.path(path), limit: size), bytes.count == size else {
      return nil
    }
    let elapsed = Int64(bitPattern: word(bytes[16..<24]))
    return elapsed >= 0 && record(elapsed, position) == bytes ? elapsed : nil
  }

  private func open() throws(Errno) -> FileDescriptor {
    try asErrno {
      try FileDescriptor.open(
        Self.path(database), .writeOnly, options: [.create, .closeOnExec, .noFollow],
        permissions: .ownerReadWrite)
    }
  }

  private static func path(_ database: FilePath) -> FilePath {
    database.removingLastComponent().appending("heard")
  }

  private static func record(_ elapsed: Int64, _ position: StoredPosition) -> [UInt8] {
    let words = [position.item ?? .max, UInt64(bitPattern: position.elapsed), UInt64(bitPattern: elapsed)]
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    let sum = UInt64(bitPattern: PageSum.sum(bytes))
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
