import GRDB
public import MusicModel
import Platform
public import SystemPackage

/// A directory, and under which key words of its tracks are kept.
public struct KeptDirectory: Sendable {
  /// Its number in the index.
  public let id: Int64
  /// Where it is seen in the library.
  public let path: FilePath
  /// The key; `nil` where nothing is kept.
  public let key: [UInt8]?
}

/// What a browser was given to keep, and the statement that finds what is kept.
struct KeptWords {
  /// The words of a directory.
  fileprivate struct Directory {
    let library: Int64
    let path: RelativePath
    let key: [UInt8]
    let words: [UInt8]
  }

  fileprivate var selection: IndexStatement?
  fileprivate var keySelection: IndexStatement?
  fileprivate var directories: [Directory] = []
}

extension TrackBrowser {
  /// Gives `body` what was kept under `key` of the directory at `path`; `false` where nothing was, or its tracks have
  /// changed since.
  ///
  /// - Parameter key: tells what the words are made of besides the tracks: their form, and what the directory is
  ///   called.
  public func withWords(
    of path: FilePath, key: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws -> Bool {
    guard let (library, path) = find(path) else { return false }
    let rows = try keptWords.selection ?? kept(ListingTable.selection)
    keptWords.selection = rows
    rows.bind(library)
    rows.bind(path.bytes)
    rows.bind(key)
    defer { rows.reset() }
    guard try rows.step() else { return false }
    unsafe rows.withBytes(0, body)
    return true
  }

  /// The next directories with tracks of their own behind the one with `id`, with the keys under which words of them
  /// are kept, by their ids.
  public func keptDirectories(behind id: Int64, limit: Int) throws -> [KeptDirectory] {
    let rows = try keptWords.keySelection ?? kept(ListingTable.keySelection(libraries))
    keptWords.keySelection = rows
    rows.bind(libraries.first)
    rows.bind(id)
    rows.bind(Int64(limit))
    defer { rows.reset() }
    var found: [KeptDirectory] = []
    while try rows.step() {
      found.append(
        KeptDirectory(
          id: rows.integer(0), path: seen(rows.bytes(2), in: rows.integer(1)),
          key: rows.isNull(3) ? nil : rows.bytes(3)))
    }
    return found
  }

  /// Keeps `words`, which were made of all tracks of the directory at `path` as they are seen here; see
  /// ``IndexedLibrary/browseAndKeep(_:)``.
  public func keep(_ words: [UInt8], of path: FilePath, key: [UInt8]) {
    guard let (library, path) = find(path) else { return }
    keptWords.directories.append(KeptWords.Directory(library: library, path: path, key: key, words: words))
  }

  /// Whether there is something to keep.
  var hasWordsToKeep: Bool { !keptWords.directories.isEmpty }

  /// Writes what is to be kept, within the transaction that has read what it was made of: SQLite refuses that where
  /// another has written since.
  func writeWords() throws {
    let insertion = try kept(ListingTable.insertion)
    for directory in keptWords.directories {
      insertion.bind(directory.library)
      insertion.bind(directory.path.bytes)
      insertion.bind(directory.key)
      insertion.bind(directory.words)
      try insertion.run()
    }
  }
}

extension IndexedLibrary {
  /// Does as ``browse(_:)``, and keeps what the browser is given to keep. What cannot be kept is not: where another
  /// writes at the time, or the index cannot be written, it is made anew the next time. Waits for no writer.
  public func browseAndKeep<Value>(
    _ body: (TrackBrowser) throws -> Value
  ) throws(LibraryFault) -> Value? {
    try fault { () throws(LibraryIndexError) in
      try index.readingAndKeeping(roots) { database, libraries in
        let browser = TrackBrowser(database, libraries: libraries)
        let value = try body(browser)
        return (value, browser.hasWordsToKeep ? browser.writeWords : nil)
      }
    }
  }
}
