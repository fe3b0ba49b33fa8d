public import SystemPackage

/// How far the reading of a library has come.
public struct ScanProgress: Sendable, Hashable {
  /// How many files were seen so far.
  public var seenCount: Int
  /// How many of them were opened and read.
  public var readCount: Int
  /// How many files there will be; `nil` while the directories are still being listed.
  public var totalCount: Int?

  /// Progress of these counts.
  public init(seenCount: Int = 0, readCount: Int = 0, totalCount: Int? = nil) {
    self.seenCount = seenCount
    self.readCount = readCount
    self.totalCount = totalCount
  }
}

/// What reading a library changed.
public struct ScanSummary: Sendable, Hashable {
  /// Tracks that are new.
  public var addedCount = 0
  /// Tracks whose files were changed.
  public var changedCount = 0
  /// Tracks whose files have another path now.
  public var movedCount = 0
  /// Tracks whose files are no more.
  public var goneCount = 0
  /// Tracks whose files are as they were.
  public var unchangedCount = 0
  /// Files and directories that cannot be in the library.
  public var problemCount = 0
  /// Files and directories that are left out by their names, or by a mark.
  public var leftOutCount = 0
  /// Whether no directory of the library is there, so that nothing was read and nothing forgotten.
  public var isAbsent = false
  /// The directories that are not there, where others are: nothing of them was forgotten.
  public var absentDirectories: [FilePath] = []

  /// Nothing changed.
  public init() {}

  /// Whether the index is another one now.
  public var hasChanged: Bool { addedCount + changedCount + movedCount + goneCount > 0 }
}
