// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import MusicModel
import Platform
import Tagging

/// A directory that a scan has listed.
struct DirectoryVisit: Sendable {
  let path: RelativePath
  /// The row ID of the directory; `nil` if it has no row.
  let id: Int64?
  /// The modification time stored in the directory's row; `nil` if it has no row.
  let storedTime: Int64?
  /// The modification time, in nanoseconds since 1970; 0 if it is so recent that a further change might not alter it.
  let modificationTime: Int64
  /// Whether all files of the directory are read together, in the first scan of the library.
  var isReadAtOnce = false
  /// The cue sheets and the `.mpdignore` file of the directory, if they have changed or differ from those stored with
  /// its row; otherwise `nil`.
  var sheets: [SheetFile]?
}

/// A file that affects which tracks a directory has: a cue sheet in the directory or in its parent directory, or the
/// file of ignore patterns.
struct SheetFile: Sendable, Hashable {
  /// The prefix of the names of cue sheets in the parent directory.
  static let parentPrefix = Array("../".utf8)

  let name: [UInt8]
  let state: FileState

  /// Whether a file of this name affects the tracks of its directory, so that it is stored.
  static func isStored(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    AudioSuffixes.isSheet(name) || name.elementsEqual(IgnoreRules.fileName)
  }

  /// Whether this is the file of ignore patterns, which also affects the directories below.
  var isIgnoreFile: Bool { name == IgnoreRules.fileName }

  /// Whether this is a cue sheet in the parent directory.
  var isInParent: Bool { name.starts(with: Self.parentPrefix) }

  /// Returns the path of the file, given the path of the directory that it affects.
  func path(in path: RelativePath) -> RelativePath {
    isInParent ? path.parent.appending(name.dropFirst(Self.parentPrefix.count)) : path.appending(name)
  }

  /// Whether this is the same file as `other`, and unchanged since.
  func isUnchanged(since other: SheetFile) -> Bool {
    name == other.name && state.isUnchanged(since: other.state)
  }
}

/// A file that must be read during a scan.
struct UnreadFile: Sendable {
  let name: [UInt8]
  let state: FileState
  let status: FileStatus
  /// The track in the index that the file corresponds to, under this name or under one that no longer exists.
  let identity: TrackIdentity
  /// The claim of a cue sheet on the file, and that sheet; `nil` if no sheet names the file.
  var claim: (claim: SheetClaim, sheet: SheetFile)?
}

/// The track in the index that a file corresponds to. If a file has several tracks, one of them stands for all.
enum TrackIdentity: Sendable, Hashable {
  /// The file is not in the index.
  case new
  /// The file is the track with the same name.
  case known(Int64)
  /// The file is a track that had another name. `displacing` is the track that had the current name before, if any;
  /// that track no longer has this name.
  case moved(Int64, displacing: Int64?)

  /// The row ID of the track; `nil` if the file is not in the index.
  var id: Int64? {
    switch self {
    case .new: nil
    case .known(let id), .moved(let id, _): id
    }
  }
}

/// A file that a scan has read.
struct FileResult: Sendable {
  /// The result of reading the file: at least one track, or the reason why there is none.
  enum Contents: Sendable {
    case tracks([TrackRecord])
    case problem(String)
  }

  let name: [UInt8]
  let state: FileState
  let identity: TrackIdentity
  let contents: Contents
  /// A hash of what a cue sheet says about the file; 0 if no sheet names the file.
  var claimHash: Int64 = 0
}

/// A message from a reading thread to the writing thread.
enum ScanMessage: Sendable {
  /// A directory was listed.
  case listed(DirectoryVisit, Listed)
  /// Some files of a directory were read. If they are all of its files and the library is scanned for the first time,
  /// the albums of their tracks are included.
  case read(DirectoryVisit, [FileResult], [PreparedAlbum]? = nil)
  /// A directory cannot be read. Its rows remain.
  case unreadable(RelativePath, String)
  /// A directory disappeared before it could be read. Its rows remain until the next scan.
  case disappeared(RelativePath)
  /// A directory was skipped. Its rows remain.
  case skipped(RelativePath)
  /// The whole library must be scanned, for example to find out what a new link leads to.
  case needsFullScan

  /// The result of listing a directory.
  struct Listed: Sendable {
    /// The number of tracks in unchanged files.
    var unchangedCount = 0
    var missing: [Int64] = []
    var problems: [Int64] = []
    var partCount = 0
    /// The paths that were skipped because of the ignore rules.
    var leftOut: [RelativePath] = []
  }

  /// The memory use of the message, counted in files.
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
  /// The inode number, which identifies the file within its file system.
  var inode: Int64
  /// The device number of the file system, which may differ after a reboot.
  var device: Int64

  /// The state of a file that was not examined.
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

  /// Whether a file in this state is unchanged since it was in the state `other`. The device number is ignored.
  func isUnchanged(since other: FileState) -> Bool {
    size == other.size && modificationTime == other.modificationTime && inode == other.inode
  }
}
