// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
import Platform
import SystemPackage

/// The history of typed lines, stored in a file that several processes share. Used on the main thread.
@safe
final class LineHistory {
  /// The maximum number of lines in the history.
  private static let limit: Int32 = 1_000
  /// The maximum size of the history file in bytes. A larger file was not written by Segue, and is not read.
  private static let sizeLimit = 1 << 24
  /// The maximum time in milliseconds to wait for another process that is writing the file.
  private static let timeoutMilliseconds: UInt64 = 1_000

  /// The history object of libedit.
  let handle: OpaquePointer
  private let file: FilePath?

  /// Creates a history with the lines in `file`, or an empty one that is not stored. Returns `nil` if memory is
  /// exhausted.
  init?(file: FilePath?) {
    guard let handle = unsafe Self.read(file) else { return nil }
    unsafe (self.handle = handle)
    self.file = file
  }

  deinit { unsafe history_end(handle) }

  /// Adds `line` to the history and to the file, without losing the lines that other processes have added. Errors are
  /// ignored, because otherwise they would be reported for each line. Passwords in addresses are left out: they are
  /// known elsewhere.
  func remember(_ line: String) {
    let line = AddressSecrets.removed(from: line)
    unsafe segue_history_enter(handle, line)
    guard let file else { return }
    let directory = file.removingLastComponent()
    try? AtomicFile.makeDirectories(directory)
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    guard let lock = try? FileLock(directory: directory, until: deadline), let merged = unsafe Self.read(file)
    else {
      return
    }
    unsafe segue_history_enter(merged, line)
    let newFile = directory.appending("history.new")
    // Saving makes the file readable by its owner only.
    let count = unsafe newFile.withPlatformString { unsafe segue_history_save(merged, $0) }
    unsafe history_end(merged)
    withExtendedLifetime(lock) {
      if count >= 0 { try? AtomicFile.move(newFile, to: file) }
    }
  }

  private static func read(_ file: FilePath?) -> OpaquePointer? {
    guard let history = unsafe history_init() else { return nil }
    unsafe segue_history_set_size(history, limit)
    unsafe segue_history_set_unique(history, 1)
    if let file, let status = try? FileStatus(of: file), status.kind == .regular, status.size <= sizeLimit {
      _ = unsafe file.withPlatformString { unsafe segue_history_load(history, $0) }
    }
    return unsafe history
  }
}
