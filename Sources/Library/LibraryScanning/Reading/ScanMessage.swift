// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import MusicModel
import Platform
import Tagging

/// A directory that was listed.
struct DirectoryVisit: Sendable {
  /// Its path.
  let path: RelativePath
  /// The id of its row, if it has one.
  let id: Int64?
  /// The modification time stored in its row.
  let storedTime: Int64?
  /// Its modification time, in nanoseconds since 1970; 0 if that is so recent that a further change might not show in
  /// it.
  let modificationTime: Int64
  /// Whether all its files are read together, and nothing else is known about it.
  var isReadAtOnce = false
  /// The cue sheets in it and its `.mpdignore` file, if they have changed or differ from those stored with its row.
  var sheets: [SheetFile]?
}

/// A file that affects which tracks a directory has: a cue sheet in it or in its parent directory, or its file of
/// ignore patterns.
struct SheetFile: Sendable, Hashable {
  /// The prefix of the name of a cue sheet in the parent directory.
  static let prefixAbove = Array("../".utf8)

  let name: [UInt8]
  let state: FileState

  /// Whether a file of this name is stored as one.
  static func isKept(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    AudioSuffixes.isSheet(name) || name.elementsEqual(IgnoreRules.fileName)
  }

  /// Whether it is the file of ignore patterns, which also affects the directories below.
  var isOfPatterns: Bool { name == IgnoreRules.fileName }

  /// Whether it is a cue sheet in the parent directory.
  var isAbove: Bool { name.starts(with: Self.prefixAbove) }

  /// Returns its path, given the path of the directory that it affects.
  func path(in path: RelativePath) -> RelativePath {
    isAbove ? path.parent.appending(name.dropFirst(Self.prefixAbove.count)) : path.appending(name)
  }

  /// Whether it is the same file as `other`, and unchanged since.
  func isUnchanged(since other: SheetFile) -> Bool {
    name == other.name && state.isUnchanged(since: other.state)
  }
}

/// A file that must be read.
struct UnreadFile: Sendable {
  let name: [UInt8]
  let state: FileState
  let status: FileStatus
  /// The track that it already is in the index, under this name or under one that no longer exists.
  let identity: TrackIdentity
  /// The claim of a cue sheet on it, and that sheet.
  var claim: (claim: SheetClaim, sheet: SheetFile)?
}

/// The track in the index that a file is. For a file with several tracks, one of them stands for all.
enum TrackIdentity: Sendable, Hashable {
  /// It is not in the index.
  case new
  /// It is the track of this name.
  case known(Int64)
  /// It is a track that had another name. `displacing` is the track that had this name before, if any; that one is no
  /// longer here.
  case moved(Int64, displacing: Int64?)

  /// The id of the existing row, if there is one.
  var id: Int64? {
    switch self {
    case .new: nil
    case .known(let id), .moved(let id, _): id
    }
  }
}

/// A file that was read.
struct FileResult: Sendable {
  /// The result: at least one track, or the reason why there is none.
  enum Contents: Sendable {
    case tracks([TrackRecord])
    case problem(String)
  }

  let name: [UInt8]
  let state: FileState
  let identity: TrackIdentity
  let contents: Contents
  /// Identifies what a cue sheet says about it; 0 for nothing.
  var mark: Int64 = 0
}

/// A message from the reading threads to the writing thread.
enum ScanMessage: Sendable {
  /// A directory was listed.
  case listed(DirectoryVisit, Listed)
  /// Some of a directory's files were read. If these are all its files and the library is scanned for the first time,
  /// the albums of their tracks are included.
  case read(DirectoryVisit, [FileResult], [PreparedAlbum]? = nil)
  /// A directory cannot be read; its rows are kept.
  case unreadable(RelativePath, String)
  /// A directory disappeared before it could be read; its rows are kept until the next scan.
  case vanished(RelativePath)
  /// A directory was skipped; its rows are kept.
  case passedOver(RelativePath)
  /// Only a scan of everything can show what a new link leads to.
  case needsAll

  /// The result of listing a directory.
  struct Listed: Sendable {
    /// The number of tracks in unchanged files.
    var unchangedCount = 0
    var gone: [Int64] = []
    var problems: [Int64] = []
    var partCount = 0
    /// The paths that were left out.
    var leftOut: [RelativePath] = []
  }

  /// Its memory use, counted in files.
  var weight: Int {
    if case .read(_, let files, _) = self { files.count } else { 1 }
  }
}

/// The attributes that show whether a file has changed.
struct FileState: Sendable, Hashable {
  /// The size in bytes.
  var size: Int64
  /// The modification time in nanoseconds since 1970.
  var modificationTime: Int64
  /// The number of the file within its file system.
  var inode: Int64
  /// The number of the file system, which may differ after a reboot.
  var device: Int64

  /// The state of a file that was not looked at.
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

  /// Whether a file in this state is unchanged since the other one. Ignores the device number.
  func isUnchanged(since other: FileState) -> Bool {
    size == other.size && modificationTime == other.modificationTime && inode == other.inode
  }
}
