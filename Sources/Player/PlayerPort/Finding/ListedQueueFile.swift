// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import Platform
package import SystemPackage

/// The queue as one reader has seen it last, stored for its next command. Each shell and each script is a reader of its
/// own, so that a script that lists nothing gets the positions of the queue as it is.
package struct ListedQueueFile: Sendable {
  private static let prefix = "listed-queue-"
  /// The maximum size of the file in bytes.
  private static let byteLimit = 4 << 20

  private let directory: FilePath
  private let name: FilePath.Component

  /// Creates access to the listing of the process `reader` in a state directory; `nil` if it is the first process of
  /// the system, which reads nothing.
  package init?(in directory: FilePath, reader: Int32) {
    let start = ProcessIdentity.startTime(of: reader).map { "-\($0)" } ?? ""
    guard reader > 1, let name = FilePath.Component("\(Self.prefix)\(reader)\(start).json") else { return nil }
    self.directory = directory
    self.name = name
  }

  private var file: FilePath { directory.appending(name) }

  /// The listing; `nil` if there is none, or if it cannot be read. Blocks while the disk is read.
  package var listed: ListedQueue? {
    guard let bytes = try? AtomicFile.read(file, limit: Self.byteLimit) else { return nil }
    return try? JSONDecoder().decode(ListedQueue.self, from: Data(bytes))
  }

  /// Stores a listing, replacing the previous one, unless it is the same. If it cannot be stored, positions are those
  /// of the queue as it is.
  package func store(_ new: ListedQueue) {
    guard new != listed else { return }
    if new.isEmpty { return remove() }
    // Reading a queue creates no directory.
    guard (try? FileStatus(of: directory))?.kind == .directory else { return }
    try? AtomicFile.write(JSONLine.text(new).utf8, to: file)
    removeAbandoned()
  }

  /// Removes the listing.
  package func remove() { try? AtomicFile.remove(file) }

  /// Removes the listings of processes that have ended.
  private func removeAbandoned() {
    for entry in (try? DirectoryListing(of: directory))?.entries ?? [] where entry.name.string.hasPrefix(Self.prefix) {
      let number = entry.name.string.dropFirst(Self.prefix.count).prefix { $0 != "-" && $0 != "." }
      guard let process = Int32(number), !ProcessIdentity.isRunning(process) else { continue }
      try? AtomicFile.remove(directory.appending(entry.name))
    }
  }
}
