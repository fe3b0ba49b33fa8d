// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel

/// The directories and files in the output of `library/generate --list`, read from standard input.
struct DirectoryList {
  private var nextLine: String?

  init() { nextLine = readLine() }

  /// Returns the next directory; `nil` after the last one.
  mutating func next() -> LibraryFiller.Directory? {
    guard let line = nextLine, line.hasPrefix("D\t") else { return nil }
    var directory = LibraryFiller.Directory(path: String(line.dropFirst(2)))
    nextLine = readLine()
    while let line = nextLine, line.hasPrefix("F\t") {
      directory.files.append(file(line))
      nextLine = readLine()
    }
    return directory
  }

  private func file(_ line: String) -> LibraryFiller.File {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    let isLossless = line.utf8.count.isMultiple(of: 2)
    return LibraryFiller.File(
      name: String(parts[1]), duration: .milliseconds(Int(parts[2]) ?? 0),
      audio: AudioSummary(
        sampleRate: isLossless ? 44_100 : 48_000, channels: 2, bitDepth: isLossless ? 16 : nil),
      tags: parts.dropFirst(3).compactMap { part in
        guard let separator = part.firstIndex(of: "=") else { return nil }
        return (String(part[..<separator]), String(part[part.index(after: separator)...]))
      })
  }
}
