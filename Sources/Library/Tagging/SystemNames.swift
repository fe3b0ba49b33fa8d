// SPDX-License-Identifier: GPL-3.0-or-later

/// The names of files and directories in a library that belong to the system or to other programs.
package enum SystemNames {
  /// The names used by programs that synchronise, version, index or delete files.
  private static let names: Set<[UInt8]> = Set(
    [".git", ".stfolder", ".stversions", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found"].map {
      Array($0.utf8)
    })
  /// The prefixes of AppleDouble files from a Mac, of a desktop's trash, and of Segue's own copies of files that are
  /// being changed.
  private static let prefixes = ["._", ".Trash", ".segue-"].map { Array($0.utf8) }
  /// The first bytes of all these names.
  private static let beginnings = Set(".@#$l".utf8)

  /// Whether a file or directory with this name belongs to the system or to another program.
  ///
  /// This is inlinable because a scan checks every name, and the first byte decides for most of them.
  @inlinable package static func contains(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, isBeginning(first) else { return false }
    return matches(Array(name))
  }

  @usableFromInline static func isBeginning(_ byte: UInt8) -> Bool { beginnings.contains(byte) }

  /// Whether `name`, whose first byte has been checked, is one of these names.
  @usableFromInline static func matches(_ name: [UInt8]) -> Bool {
    prefixes.contains { name.starts(with: $0) } || names.contains(name)
  }
}
