// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
package import SystemPackage

/// A file that is open, whatever its name is by now, and what other programs do to it meanwhile.
final class PlayedFile {
  /// What tells whether somebody wrote to a file.
  struct State {
    let size: Int64
    let modificationTime: Int64
    /// The last bytes of the file; `nil` if they were not read.
    var end: [UInt8]?
  }

  private static let endLength: Int64 = 1 << 12
  /// The number of pauses without a change after which other programs count as finished: half a second.
  private static let quietPauses = 50
  /// The number of times that a file has to grow, without any other change, to count as a recording that is being made.
  private static let growthLimit = 20
  /// The age of a change that is recent, in nanoseconds: further changes may still belong to it.
  private static let recentAge: Int64 = 500_000_000

  private let name: FilePath
  private let descriptor: FileDescriptor

  /// Opens the file at `name`, but only if it is a regular file.
  init(_ name: FilePath) throws(DecodingError) {
    self.name = name
    descriptor = try FileDescriptor.openRegular(name)
  }

  deinit { try? descriptor.close() }

  /// A path to the file.
  var path: FilePath { descriptor.path(preferring: name) }

  /// The state without the end of the file.
  var state: State {
    let status = try? FileStatus(of: descriptor)
    return State(size: status?.size ?? 0, modificationTime: status?.modificationTime ?? 0)
  }

  /// The state with the end of the file.
  var markedState: State {
    var state = state
    state.end = end(at: state.size)
    return state
  }

  private func end(at size: Int64) -> [UInt8] {
    let start = max(0, size - Self.endLength)
    return descriptor.bytes(at: start, count: Int(size - start))
  }

  /// Whether somebody wrote to the file within the last half second, as far as clocks agree.
  var isRecent: Bool {
    (try? FileStatus(of: descriptor)).map { WallClock.now &- $0.modificationTime <= Self.recentAge }
      ?? false
  }

  /// Whether nobody has written to the file since it was in this state, as far as can be seen.
  func isUnchanged(since state: State) -> Bool {
    guard let status = try? FileStatus(of: descriptor) else { return true }
    return status.size == state.size && status.modificationTime == state.modificationTime
  }

  /// Whether the file is unchanged since it was in this state, or has become longer, and the bytes before its former
  /// end are as they were. That alone does not prove that nothing else was changed: the bytes may be about to be moved.
  func continues(_ state: State) -> Bool {
    guard let status = try? FileStatus(of: descriptor) else { return true }
    if status.size == state.size { return status.modificationTime == state.modificationTime }
    return status.size > state.size && state.end == end(at: state.size)
  }

  /// Waits until nobody has written to the file for half a second, or it turns out that it only becomes longer than it
  /// was in the state `known`, or `budget`, the number of pauses, is used up. Returns `false` if it was interrupted.
  func settle(
    since known: State, pausing pause: () -> Void, budget: inout Int, _ isInterrupted: () -> Bool
  ) -> Bool {
    var (last, quiet, growth) = (markedState, 0, 0)
    // Without its end, a former state cannot be compared with a longer file.
    let first = known.end == nil ? last : known
    while quiet < Self.quietPauses, growth < Self.growthLimit, budget > 0 {
      if isInterrupted() { return false }
      pause()
      budget -= 1
      if isUnchanged(since: last) {
        quiet += 1
      } else {
        growth = continues(last) && continues(first) ? growth + 1 : 0
        (last, quiet) = (markedState, 0)
      }
    }
    return true
  }

  /// Returns what the user should know of the file after it was played: that it was deleted, or that another sound has
  /// taken its place. Otherwise `nil`: it is still there, was moved, or was replaced by one with the same sound, as
  /// some programs do that write tags.
  func loss(_ open: DecoderFactory) -> DecodingError? {
    guard let status = try? FileStatus(of: descriptor), status.linkCount == 0 else { return nil }
    do {
      _ = try FileStatus(of: name)
    } catch {
      return error == .noSuchFileOrDirectory
        ? DecodingError(path: name, kind: .unreadable, reason: "was deleted during playback") : nil
    }
    guard let (old, new) = try? (open(path), open(name)), old.format == new.format, old.frameCount == new.frameCount,
      new.samples(1 << 14).sounds(like: old.samples(1 << 14))
    else {
      return DecodingError(path: name, kind: .unreadable, reason: "was replaced by another file during playback")
    }
    return nil
  }
}

extension FileDescriptor {
  /// Opens the file at `path` for reading, but only if it is a regular file.
  package static func openRegular(_ path: FilePath) throws(DecodingError) -> FileDescriptor {
    do throws(Errno) {
      if try FileStatus(of: path).kind == .regular {
        return try asErrno { try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]) }
      }
    } catch {
      throw DecodingError(path: path, kind: .unreadable, reason: error.description)
    }
    throw DecodingError(path: path, kind: .unreadable, reason: "is not a regular file")
  }
}
