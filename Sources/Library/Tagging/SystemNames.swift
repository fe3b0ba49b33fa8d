// SPDX-License-Identifier: GPL-3.0-or-later

/// The names of files and directories in the midst of music that belong to another program, or to the system.
package enum SystemNames {
  /// What synchronises, versions, indexes or deletes files has these in the midst of them.
  private static let names: Set<[UInt8]> = Set(
    [".git", ".stfolder", ".stversions", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found"].map {
      Array($0.utf8)
    })
  /// The other half of a file from a Mac, the bins of a desktop, and our own copies of files that are being changed.
  private static let prefixes = ["._", ".Trash", ".segue-"].map { Array($0.utf8) }
  /// What the first byte of each of these names is.
  private static let beginnings = Set(".@#$l".utf8)

  /// Whether something of this name, a file or a directory, belongs to another program, or to the system.
  ///
  /// A scan asks this of every name, most of which begin with none of the bytes that count.
  @inlinable package static func contains(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, isBeginning(first) else { return false }
    return isWhole(Array(name))
  }

  /// Whether any of these names begins with this byte.
  @usableFromInline static func isBeginning(_ byte: UInt8) -> Bool { beginnings.contains(byte) }

  /// Whether `name`, whose first byte counts, is one of these names.
  @usableFromInline static func isWhole(_ name: [UInt8]) -> Bool {
    prefixes.contains { name.starts(with: $0) } || names.contains(name)
  }
}
