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

  /// Gives back the pages of the program's code and of its libraries', most of which only starting needs.
  ///
  /// They are the files', unchanged: what is needed again is mapped again, from the system's cache. From any thread;
  /// does nothing where the system is no Linux.
  public static func releaseCode() {
    #if os(Linux)
      releaseCodePages()
    #endif
  }

  /// Gives back what was allocated and is free again, and the program's code, as ``releaseCode()`` does.
  ///
  /// Takes some milliseconds, in which other threads may wait for memory. From any thread; does nothing where the
  /// system is no Linux.
  public static func releaseUnused() {
    #if os(Linux)
      trimMemory()
    #endif
    releaseCode()
  }
}
