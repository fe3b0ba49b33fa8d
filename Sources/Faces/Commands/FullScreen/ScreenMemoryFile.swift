// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import Platform
import Screens
import SystemPackage

/// The file in which the full screen keeps what the user has chosen about its looks.
struct ScreenMemoryFile {
  private static let limit = 1 << 14

  private let path: FilePath

  /// Creates the file in a state directory.
  init(in directory: FilePath) { path = directory.appending("screen.json") }

  /// Returns what was written last; the defaults if there is nothing, or if it cannot be read.
  func read() -> ScreenMemory {
    guard let bytes = try? AtomicFile.read(path, limit: Self.limit), bytes.count <= Self.limit else {
      return ScreenMemory()
    }
    return (try? JSONDecoder().decode(ScreenMemory.self, from: Data(bytes))) ?? ScreenMemory()
  }

  /// Writes `memory`. If that fails, it is lost with the program, and nothing else is.
  func write(_ memory: ScreenMemory) {
    guard let data = try? JSONEncoder().encode(memory) else { return }
    try? AtomicFile.write(Array(data), to: path)
  }
}
