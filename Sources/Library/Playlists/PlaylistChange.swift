// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// A change of a playlist file, with what is needed to undo it.
public enum PlaylistChange: Sendable, Hashable {
  /// The contents of the file at this path, before and after; `nil` where there was no file.
  case contents(FilePath, before: [UInt8]?, after: [UInt8]?)
  /// The file at the first path has the second one now.
  case moved(FilePath, to: FilePath)
  /// The file was a link, or its contents could not be read.
  case irreversible(FilePath)

  /// The number of bytes that the change keeps.
  public var size: Int {
    switch self {
    case .contents(_, let before, let after): (before?.count ?? 0) + (after?.count ?? 0)
    case .moved, .irreversible: 0
    }
  }

  /// Whether the change cannot be undone.
  public var isIrreversible: Bool { if case .irreversible = self { true } else { false } }

  /// The change that undoes this one.
  public var reversed: PlaylistChange {
    switch self {
    case .contents(let path, let before, let after): .contents(path, before: after, after: before)
    case .moved(let former, let present): .moved(present, to: former)
    case .irreversible: self
    }
  }

  /// Performs the change. Blocks until the disk has been written.
  ///
  /// - Throws: `changed` if the file is not as it was before the change, or cannot be known to be; or `unwritable`.
  public func perform() throws(PlaylistError) {
    switch self {
    case .contents(let path, let before, let after):
      let lock = PlaylistDirectory.changeLock(path.removingLastComponent())
      defer { withExtendedLifetime(lock) {} }
      guard let present = Self.contents(of: path), present == before else { throw .changed(path) }
      guard let after else { return try Self.writing(path) { () throws(Errno) in try AtomicFile.remove(path) } }
      try PlaylistWriter.write(to: path) { _ in after }
    case .moved(let former, let present):
      let lock = PlaylistDirectory.changeLock(former.removingLastComponent())
      defer { withExtendedLifetime(lock) {} }
      guard Self.exists(former), !Self.exists(present) else { throw .changed(former) }
      try Self.writing(present) { () throws(Errno) in try AtomicFile.move(former, to: present) }
    case .irreversible(let path): throw .changed(path)
    }
  }

  /// Runs `body`, which changes the contents of the file at `path`, and reports the change to `onChange`.
  public static func recording<Value>(
    _ path: FilePath, _ onChange: (@Sendable (PlaylistChange) -> Void)?, _ body: () throws(PlaylistError) -> Value
  ) throws(PlaylistError) -> Value {
    guard let onChange else { return try body() }
    let before = contents(of: path)
    let value = try body()
    if let before, let after = contents(of: path) {
      if before != after { onChange(.contents(path, before: before, after: after)) }
    } else {
      onChange(.irreversible(path))
    }
    return value
  }

  /// Returns the contents of the file at `path`, or `nil` in place of them if there is no file. Returns no value for a
  /// link, and for what cannot be read.
  private static func contents(of path: FilePath) -> [UInt8]?? {
    do throws(Errno) {
      let status = try FileStatus(of: path, followingLinks: false)
      guard status.kind == .regular else { return nil }
      return .some(try AtomicFile.read(path, limit: Playlist.sizeLimit))
    } catch {
      return error == .noSuchFileOrDirectory ? .some(nil) : nil
    }
  }

  private static func exists(_ path: FilePath) -> Bool { (try? FileStatus(of: path, followingLinks: false)) != nil }

  private static func writing(_ path: FilePath, _ body: () throws(Errno) -> Void) throws(PlaylistError) {
    do throws(Errno) { try body() } catch { throw .unwritable(path, error) }
  }
}
