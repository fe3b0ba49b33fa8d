import CueSheets
import MusicModel
import Platform
import Tagging

/// A directory that was listed.
struct DirectoryVisit: Sendable {
  /// Where it is.
  let path: RelativePath
  /// The row that it has already.
  let id: Int64?
  /// What its row says of the time of its last change.
  let storedTime: Int64?
  /// When it was changed last; 0 where that is too short a time ago to tell a further change.
  let modificationTime: Int64
  /// Whether all its files are read together, and are all that is known of it.
  var isReadAtOnce = false
  /// The cue sheets in it, and its file of patterns, where they are others than those of its row, or were changed.
  var sheets: [SheetFile]?
}

/// A file that decides what others there are in a directory: a cue sheet there or in the directory above, or the file
/// of patterns of what is left out.
struct SheetFile: Sendable, Hashable {
  /// What stands before the name of one in the directory above.
  static let prefixAbove = Array("../".utf8)

  let name: [UInt8]
  let state: FileState

  /// Whether a file of this name is one.
  static func isKept(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    AudioSuffixes.isSheet(name) || name.elementsEqual(IgnoreRules.fileName)
  }

  /// Whether it says what is left out, below its directory, too.
  var isOfPatterns: Bool { name == IgnoreRules.fileName }

  /// Whether it is a cue sheet in the directory above.
  var isAbove: Bool { name.starts(with: Self.prefixAbove) }

  /// Where it is, of the directory at `path`.
  func path(in path: RelativePath) -> RelativePath {
    isAbove ? path.parent.appending(name.dropFirst(Self.prefixAbove.count)) : path.appending(name)
  }

  /// Whether it is as it was when it was `other`.
  func isUnchanged(since other: SheetFile) -> Bool {
    name == other.name && state.isUnchanged(since: other.state)
  }
}

/// A file that has to be read.
struct UnreadFile: Sendable {
  let name: [UInt8]
  let state: FileState
  let status: FileStatus
  /// The track that it is already, under this name or under one that is no more.
  let identity: TrackIdentity
  /// What a cue sheet says of it, and which.
  var claim: (claim: SheetClaim, sheet: SheetFile)?
}

/// Which track of the index a file is; of a file with several, one of them stands for all.
enum TrackIdentity: Sendable, Hashable {
  /// None.
  case new
  /// The one of this name.
  case known(Int64)
  /// One that had another name; the track that had this name, if any, is none here any more.
  case moved(Int64, displacing: Int64?)

  /// The row that it has already.
  var id: Int64? {
    switch self {
    case .new: nil
    case .known(let id), .moved(let id, _): id
    }
  }
}

/// A file that was read.
struct FileResult: Sendable {
  /// What was read: at least one track, or why there is none.
  enum Contents: Sendable {
    case tracks([TrackRecord])
    case problem(String)
  }

  let name: [UInt8]
  let state: FileState
  let identity: TrackIdentity
  let contents: Contents
  /// What a cue sheet said of it; 0 for nothing.
  var mark: Int64 = 0
}

/// What the threads that read tell the one that writes.
enum ScanMessage: Sendable {
  /// A directory was listed: how many of its files are as they were, which tracks and problems it has no more, which
  /// problems it still has, and in how many parts its other files will follow.
  case listed(DirectoryVisit, Listed)
  /// A part of a directory's files was read; with the albums of their tracks, where those are all files of the
  /// directory and the library is read for the first time.
  case read(DirectoryVisit, [FileResult], [PreparedAlbum]? = nil)
  /// A directory cannot be read: what it held is kept.
  case unreadable(RelativePath, String)
  /// A directory went while it was to be read: what it held is kept until the next time.
  case vanished(RelativePath)
  /// A directory was not looked at: what it holds is kept.
  case passedOver(RelativePath)
  /// Only reading everything tells what a new link leads to.
  case needsAll

  /// What was seen in a directory.
  struct Listed: Sendable {
    /// How many tracks the files have that are as they were.
    var unchangedCount = 0
    var gone: [Int64] = []
    var problems: [Int64] = []
    var partCount = 0
    /// What is left out.
    var leftOut: [RelativePath] = []
  }

  /// How much it takes in memory, in files.
  var weight: Int {
    if case .read(_, let files, _) = self { files.count } else { 1 }
  }
}

/// What tells a file that has changed from one that has not.
struct FileState: Sendable, Hashable {
  /// In bytes.
  var size: Int64
  /// Nanoseconds since 1970.
  var modificationTime: Int64
  /// The number of the file in its file system.
  var inode: Int64
  /// The number of the file system, which may be another one after a start of the machine.
  var device: Int64

  /// Of nothing that was looked at.
  static let unknown = FileState(size: 0, modificationTime: 0, inode: 0, device: 0)

  init(size: Int64, modificationTime: Int64, inode: Int64, device: Int64) {
    self.size = size
    self.modificationTime = modificationTime
    self.inode = inode
    self.device = device
  }

  init(_ status: FileStatus) {
    self.init(
      size: status.size, modificationTime: status.modificationTime,
      inode: Int64(bitPattern: status.identity.inode), device: Int64(bitPattern: status.identity.device))
  }

  /// Whether a file in this state is as it was in the other.
  func isUnchanged(since other: FileState) -> Bool {
    size == other.size && modificationTime == other.modificationTime && inode == other.inode
  }
}
