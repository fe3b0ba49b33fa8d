import Platform

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
