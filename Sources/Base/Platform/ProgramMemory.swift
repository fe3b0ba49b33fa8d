#if os(Linux)
  import CGlibc
#endif

/// The memory that the program itself takes.
public enum ProgramMemory {
  /// Has all threads that begin from now on share what is allocated: by default each has a region of its own, most of
  /// which stays unused, half a mebibyte of a player's in all. From any thread; does nothing where the system is no
  /// Linux.
  public static func shareRegions() {
    #if os(Linux)
      CGlibc.shareRegions(2)
    #endif
  }

  /// Gives back what was allocated and is free again.
  ///
  /// Takes some milliseconds, in which other threads may wait for memory. From any thread; does nothing where the
  /// system is no Linux.
  public static func releaseUnused() {
    #if os(Linux)
      trimMemory()
    #endif
  }
}
