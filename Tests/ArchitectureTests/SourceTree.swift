// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Foundation
import Synchronization
import SystemPackage
import TestSupport

/// The sources of the package, as text.
enum SourceTree {
  /// A file, with its path relative to the package's directory.
  struct File: Sendable {
    let path: String
    let lines: [String]

    /// The directory in `Tests`, or in a floor of `Sources`.
    var room: String { location.room }

    /// The floor, which is a directory of `Sources`; `nil` for files of the program itself and of the tests.
    var floor: String? { location.floor }

    private var location: (floor: String?, room: String) {
      let parts = path.split(separator: "/").map(String.init)
      // The program itself is above all floors, as is its helper.
      return parts[0] == "Sources" && !parts[1].hasPrefix("segue") ? (parts[1], parts[2]) : (nil, parts[1])
    }

    /// The imported modules.
    let imports: Set<String>

    init(path: String, lines: [String]) {
      self.path = path
      self.lines = lines
      imports = Set(
        lines.compactMap { line in
          guard line.hasBytes(of: "import "), !line.hasBytes(of: ",") else { return nil }
          let words = line.split(separator: " ").drop { Self.modifiers.contains($0) }
          return words.count == 2 && words.first == "import" ? words.last.map(String.init) : nil
        })
    }

    private static let modifiers: Set<Substring> = ["public", "package", "internal", "private", "@testable"]
  }

  private static let root = Fixture.directory.removingLastComponent()

  /// Returns the text of the file at `path`.
  static func text(_ path: String) throws -> String {
    String(decoding: try contents(of: root.pushing(FilePath(path))), as: UTF8.self)
  }

  /// The files that were read, by directory and suffixes, since many tests read all of them.
  private static let known = Mutex<[String: [Set<String>: [File]]]>([:])

  /// Returns all files below `directory` with one of these suffixes.
  static func files(in directory: String, suffixes: Set<String> = ["swift"]) throws -> [File] {
    try known.withLock { known in
      if let files = known[directory]?[suffixes] { return files }
      let names = FileManager.default.enumerator(atPath: root.pushing(FilePath(directory)).string)
      let files = try (names?.compactMap { $0 as? String } ?? []).sorted()
        .filter { suffixes.contains(FilePath($0).extension ?? "") }
        .map { try file("\(directory)/\($0)") }
      known[directory, default: [:]][suffixes] = files
      return files
    }
  }

  private static func file(_ path: String) throws -> File {
    let lines = try text(path).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return File(path: path, lines: lines.map { String(Substring($0)) })
  }

  /// Returns the dependencies of each target in the table of `Package.swift`, by name.
  static func dependencies() throws -> [String: Set<String>] {
    let manifest = try text("Package.swift")
    let start = /(?:^ {4}|= )(library|shim|room|program|tests|support|benchmark|\.target)\(\s*/
      .anchorsMatchLineEndings()
    let starts = manifest.matches(of: start)
    return try Dictionary(
      starts.map { start in
        let entry = /(?:name: )?"(?:\w+\/)?([\w-]+)"((?:,\s*"[^"]*")*)/
        guard let match = manifest[start.range.upperBound...].prefixMatch(of: entry) else {
          throw UnreadableManifest(line: String(manifest[start.range.upperBound...].prefix(80)))
        }
        // The string of a library is its name in pkg-config.
        let modules = start.output.1 == "library" ? [] : match.output.2.matches(of: /[\w-]+/).map { String($0.output) }
        return (String(match.output.1), Set(modules))
      }, uniquingKeysWith: { $0.union($1) })
  }

  /// A line of `Package.swift` does not have the expected form.
  struct UnreadableManifest: Error {
    let line: String
  }
}

extension String {
  /// Returns whether the bytes of `part` occur in this text. Tests are not optimised, so `contains`, which compares
  /// characters, would take seconds for all files.
  func hasBytes(of part: String) -> Bool {
    unsafe withCString { text in unsafe part.withCString { unsafe strstr(text, $0) != nil } }
  }
}
