// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport

/// The sources of the package, as text.
enum SourceTree {
  /// A file, with its path relative to the package's directory.
  struct File {
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
    var imports: Set<String> {
      Set(
        lines.compactMap { line in
          guard line.contains("import "), !line.contains(",") else { return nil }
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

  /// Returns all files below `directory` with one of these suffixes.
  static func files(in directory: String, suffixes: Set<String> = ["swift"]) throws -> [File] {
    let names = FileManager.default.enumerator(atPath: root.pushing(FilePath(directory)).string)
    return try (names?.compactMap { $0 as? String } ?? []).sorted()
      .filter { suffixes.contains(FilePath($0).extension ?? "") }
      .map { File(path: "\(directory)/\($0)", lines: try text("\(directory)/\($0)").components(separatedBy: "\n")) }
  }

  /// Returns the dependencies of each target of `Package.swift`, by name.
  static func dependencies() throws -> [String: Set<String>] {
    let manifest = try text("Package.swift")
    let starts = manifest.matches(of: /\n {4}\.\w*(?:[tT]arget|Library)\(\s*name: "([\w-]+)"/)
    let ends = starts.dropFirst().map(\.range.lowerBound) + [manifest.endIndex]
    return try Dictionary(
      zip(starts, ends).compactMap { start, end -> (String, Set<String>)? in
        let body = manifest[start.range.upperBound..<end]
        guard let list = body.range(of: "dependencies: [") else { return (String(start.output.1), []) }
        let rest = body[list.upperBound...]
        let close = try #/\n      \]|\],/#.firstMatch(in: rest)?.range.lowerBound ?? rest.endIndex
        let products = rest[..<close].replacing(#/package: "[^"]*"/#, with: "")
        return (String(start.output.1), Set(products.matches(of: /"(\w+)"/).map { String($0.output.1) }))
      }, uniquingKeysWith: { first, _ in first })
  }
}
