import MusicModel
import Platform

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
}

/// A file that has to be read.
struct UnreadFile: Sendable {
  let name: [UInt8]
  let state: FileState
  let status: FileStatus
  /// The track that it is already, under this name or under one that is no more.
  let identity: TrackIdentity
}

/// Which track of the index a file is.
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
  /// What was read: a track, or why there is none.
  enum Contents: Sendable {
    case track(TrackRecord)
    case problem(String)
  }

  let name: [UInt8]
  let state: FileState
  let identity: TrackIdentity
  let contents: Contents
}

/// What the threads that read tell the one that writes.
enum ScanMessage: Sendable {
  /// A directory was listed: how many of its files are as they were, which tracks and problems it has no more, which problems it still has,
  /// and in how many parts its other files will follow.
  case listed(DirectoryVisit, Listed)
  /// A part of a directory's files was read.
  case read(DirectoryVisit, [FileResult])
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
    var unchangedCount = 0
    var gone: [Int64] = []
    var problems: [Int64] = []
    var partCount = 0
  }

  /// How much it takes in memory, in files.
  var weight: Int {
    if case .read(_, let files) = self { files.count } else { 1 }
  }
}
