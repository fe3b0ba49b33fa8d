import Platform
import SystemPackage

/// How much of the current item was heard, in a file of its own beside the database: each second's news is one write of
/// 32 bytes in the place of the last, where a transaction takes a hundred times as much work, and a log that grows.
///
/// It goes on from a place that the database has, and counts as long as that has it. A process that is killed leaves it
/// behind; the next to end in peace has the database say the same, and removes it.
struct ElapsedFile: ~Copyable {
  /// Where the database says that the queue stands.
  struct Place: Equatable {
    /// The number of the current item.
    var item: UInt64?
    /// How much of it was heard, in nanoseconds.
    var heard: Int64
  }

  private static let size = 32

  private let database: FilePath
  private var file: FileDescriptor?

  /// The mark of the database at `path`, which is written when there is something to say.
  init(of path: FilePath) { database = path }

  deinit { try? file?.close() }

  /// Says that `heard` nanoseconds were heard, where the database says `place`.
  ///
  /// - Throws: `Errno` where that cannot be written.
  mutating func write(_ heard: Int64, from place: Place) throws(Errno) {
    let file = if let file { file } else { try open() }
    self.file = file
    let record = Self.record(heard, place)
    let count = try errno {
      try unsafe record.withUnsafeBytes { try unsafe file.writeAll(toAbsoluteOffset: 0, $0) }
    }
    guard count == record.count else { throw .ioError }
  }

  /// Says nothing any more.
  mutating func remove() {
    try? file.take()?.close()
    try? AtomicFile.remove(Self.path(database))
  }

  /// What the mark of the database at `path` says, where that says `place`; `nil` where it goes on from another, or is
  /// damaged.
  static func heard(of path: FilePath, from place: Place) -> Int64? {
    guard let bytes = try? AtomicFile.read(Self.path(path), limit: size), bytes.count == size else {
      return nil
    }
    let heard = Int64(bitPattern: word(bytes[16..<24]))
    return heard >= 0 && record(heard, place) == bytes ? heard : nil
  }

  private func open() throws(Errno) -> FileDescriptor {
    try errno {
      try FileDescriptor.open(
        Self.path(database), .writeOnly, options: [.create, .closeOnExec, .noFollow],
        permissions: .ownerReadWrite)
    }
  }

  private func errno<Value>(_ body: () throws -> Value) throws(Errno) -> Value {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
  }

  private static func path(_ database: FilePath) -> FilePath {
    database.removingLastComponent().appending("heard")
  }

  private static func record(_ heard: Int64, _ place: Place) -> [UInt8] {
    let words = [place.item ?? .max, UInt64(bitPattern: place.heard), UInt64(bitPattern: heard)]
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    let sum = UInt64(bitPattern: PageSum.sum(bytes))
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
