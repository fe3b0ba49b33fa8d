import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The memory that the program itself takes.
public enum ProgramMemory {
  /// Gives back the pages of the program's code, most of which only starting needs.
  ///
  /// They are the file's, unchanged: what is needed again is mapped again, from the system's cache. From any thread; does nothing
  /// where the system is no Linux.
  public static func releaseCode() {
    #if canImport(Glibc)
      guard let range = codeRange() else { return }
      unsafe madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    #endif
  }

  #if canImport(Glibc)
    /// Where the program's code is: the first mapping of proc(5)'s list that can be executed, and not be written.
    private static func codeRange() -> Range<UInt>? {
      guard let file = try? unsafe FileDescriptor.open("/proc/self/maps", .readOnly) else { return nil }
      let text = try? file.closeAfter {
        try unsafe String(unsafeUninitializedCapacity: 4096) { try unsafe file.read(into: .init($0)) }
      }
      guard let line = text?.split(separator: "\n").first(where: { $0.contains(" r-xp ") }) else {
        return nil
      }
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
  #endif
}
