import Foundation
import Platform
import SystemPackage

/// What the numbers of the listing mean that was shown on a terminal last, kept for the next command.
struct LastListing: Sendable {
  /// Who chooses by a number has not gone through more.
  static let limit = 10_000
  /// In bytes: names may be long.
  private static let byteLimit = 16 << 20

  private let file: FilePath

  /// That of the state directory `directory`.
  init(in directory: FilePath) { file = directory.appending("listing.json") }

  /// What stood at `number`, counted from 1; `nil` where nothing did, or that cannot be read. Blocks while the disk
  /// does.
  func reference(_ number: Int) -> ListedReference? {
    guard number > 0, let bytes = try? AtomicFile.read(file, limit: Self.byteLimit),
      let references = try? JSONDecoder().decode([ListedReference].self, from: Data(bytes)), number <= references.count
    else { return nil }
    return references[number - 1]
  }

  /// Keeps these in the place of those before.
  ///
  /// - Throws: `Errno` where they cannot be written.
  func keep(_ references: [ListedReference]) throws(Errno) {
    guard let data = try? JSONEncoder().encode(Array(references.prefix(Self.limit))) else { return }
    try AtomicFile.write(data, to: file)
  }
}
