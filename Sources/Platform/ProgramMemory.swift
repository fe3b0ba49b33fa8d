import SystemPackage

#if canImport(Glibc)
  import CGlibc
  import Glibc
#endif

/// The memory that the program itself takes.
public enum ProgramMemory {
  /// Gives back the pages of the program's code and of its libraries', most of which only starting needs.
  ///
  /// They are the files', unchanged: what is needed again is mapped again, from the system's cache. From any thread; does nothing
  /// where the system is no Linux.
  public static func releaseCode() {
    #if canImport(Glibc)
      for range in codeRanges() {
        unsafe madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
      }
    #endif
  }

  /// Gives back what was allocated and is free again, and the program's code, as ``releaseCode()`` does.
  ///
  /// Takes some milliseconds, in which other threads may wait for memory. From any thread; does nothing where the system is no Linux.
  public static func releaseUnused() {
    #if canImport(Glibc)
      _ = malloc_trim(0)
    #endif
    releaseCode()
  }

  #if canImport(Glibc)
    private static let limit = 1 << 20

    /// Where code is, and what the loader and the runtime look up: the mappings of files in proc(5)'s list that can be executed, and not
    /// be written, and those of their beginnings that can only be read. What else can only be read may have been written before.
    private static func codeRanges() -> [Range<UInt>] {
      guard let file = try? unsafe FileDescriptor.open("/proc/self/maps", .readOnly) else { return [] }
      var bytes: [UInt8] = []
      _ = try? file.closeAfter {
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
          let count = try unsafe piece.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
          if count == 0 { break }
          bytes += piece.prefix(count)
        }
      }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap(codeRange)
    }

    private static func codeRange(_ line: Substring) -> Range<UInt>? {
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, fields[5].drop(while: { $0 == " " }).first == "/",
        fields[1] == "r-xp" || fields[1] == "r--p" && UInt(fields[2], radix: 16) == 0
      else { return nil }
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
  #endif
}
