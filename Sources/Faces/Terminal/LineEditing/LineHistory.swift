// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
import Platform
import SystemPackage

/// The history of typed lines, shared with other processes through one file. For the main thread.
@safe
final class LineHistory {
  /// The maximum number of lines stored.
  private static let limit: Int32 = 1_000
  /// The maximum size of the file in bytes; a larger file is not ours.
  private static let sizeLimit = 1 << 24
  /// The maximum time in milliseconds to wait while another process writes.
  private static let patience: UInt64 = 1_000

  /// The history object that libedit uses.
  let handle: OpaquePointer
  private let file: FilePath

  /// Creates the history stored in `file`; `nil` if there is no memory for it.
  init?(file: FilePath) {
    guard let handle = unsafe Self.read(file) else { return nil }
    unsafe (self.handle = handle)
    self.file = file
  }

  deinit { unsafe history_end(handle) }

  /// Adds `line`, and appends it in the file to the lines of all processes. Failures are silent, rather than reported
  /// at each line.
  func remember(_ line: String) {
    unsafe segue_history_enter(handle, line)
    let directory = file.removingLastComponent()
    try? AtomicFile.makeDirectories(directory)
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.patience)
    guard let lock = try? FileLock(directory: directory, until: deadline), let all = unsafe Self.read(file)
    else {
      return
    }
    unsafe segue_history_enter(all, line)
    let new = directory.appending("history.new")
    // This restricts the file to its owner.
    let count = unsafe new.withPlatformString { unsafe segue_history_save(all, $0) }
    unsafe history_end(all)
    withExtendedLifetime(lock) {
      if count >= 0 { try? AtomicFile.move(new, to: file) }
    }
  }

  private static func read(_ file: FilePath) -> OpaquePointer? {
    guard let history = unsafe history_init() else { return nil }
    unsafe segue_history_set_size(history, limit)
    unsafe segue_history_set_unique(history, 1)
    if let status = try? FileStatus(of: file), status.kind == .regular, status.size <= sizeLimit {
      _ = unsafe file.withPlatformString { unsafe segue_history_load(history, $0) }
    }
    return unsafe history
  }
}
