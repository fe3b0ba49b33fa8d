import CEditline
import Platform
import SystemPackage

/// The lines that were typed before, here and in other processes, which are kept in one file. For the main thread.
@safe
final class LineHistory {
  /// The most lines that are kept.
  private static let limit: Int32 = 1_000
  /// A file of more bytes is none of ours.
  private static let sizeLimit = 1 << 24
  /// How long another process has to write its line, in milliseconds.
  private static let patience: UInt64 = 1_000

  /// What libedit looks into.
  let handle: OpaquePointer
  private let file: FilePath

  /// The history that `file` keeps; `nil` where there is no memory for it.
  init?(file: FilePath) {
    guard let handle = unsafe Self.read(file) else { return nil }
    unsafe (self.handle = handle)
    self.file = file
  }

  deinit { unsafe history_end(handle) }

  /// Adds `line`, and puts it behind what all processes have written until now. What cannot be kept is no reason to
  /// complain at each line.
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
    // It gives the file to its owner alone.
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
