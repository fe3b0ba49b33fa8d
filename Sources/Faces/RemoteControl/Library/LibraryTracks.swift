// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Finds the tracks that a client names by file, directory or filter. Its calls block while the disk does.
struct LibraryTracks {
  /// What a name refers to.
  enum Place: Equatable {
    /// The directory at this path, which is relative to the library.
    case directory(FilePath)
    /// Tracks of the library, by their ids.
    case tracks([Int64])
    /// A file outside the library, for the owner only.
    case file(FilePath)
  }

  /// The number of tracks that are read at a time.
  private static let pageSize = 256

  private let library: any BrowsableLibrary
  private let isLocal: Bool

  /// Creates a finder for the client of `context`.
  init(_ context: CommandContext) throws(ProtocolError) {
    library = try context.library.index
    isLocal = context.client.isLocal
  }

  /// Returns the track of the file `uri`, or all tracks below the directory `uri`, in the order of its listing.
  ///
  /// - Throws: `noExist` if `uri` names nothing in the library. For the owner, absolute paths may name other files.
  func tracks(uri: String) throws(ProtocolError) -> TrackCollection {
    switch try place(uri) {
    case .directory(let path): return try collection(path.lastComponent?.string ?? "", try ids(below: path))
    case .tracks(let ids): return try collection(uri, ids)
    case .file(let path):
      do throws(LibraryProblem) {
        return TrackCollection(title: uri, tracks: [try library.unindexedTrack(at: path)])
      } catch {
        throw ProtocolError(.noExist, "No such file: \(error.reason)")
      }
    }
  }

  /// Returns the tracks that match `filter`.
  func tracks(
    matching filter: TrackFilter, order: TrackOrder = TrackOrder(), range: ProtocolRange? = nil
  ) throws(ProtocolError) -> TrackCollection {
    try library.checkBase(of: filter)
    let ids = try library.browsing { browser in
      try browser.trackIDs(
        filter, order: order, offset: range?.start ?? 0,
        limit: range.flatMap { range in range.end.map { $0 - range.start } })
    }
    return try collection("", ids ?? [])
  }

  /// Returns what `uri` refers to.
  func place(_ uri: String) throws(ProtocolError) -> Place {
    guard let name = name(uri) else {
      // The owner may name any file.
      guard isLocal, let path = SongURI.path(uri), path.isAbsolute, FileStatus.isFile(at: path) == true else {
        throw ProtocolError(.noExist, "No such directory")
      }
      return .file(path)
    }
    let found = try library.browsing { browser -> BrowsedPlace? in
      if let place = try browser.place(name.path) { return place }
      guard let (file, start) = name.segment else { return nil }
      return try browser.track(file, segment: start).map { .tracks([$0]) }
    }
    // A library that was never scanned has at least its root directory.
    if name.path.isEmpty { return .directory(name.path) }
    guard let place = found ?? nil else { throw ProtocolError(.noExist, "No such directory") }
    switch place {
    case .directory: return .directory(name.path)
    case .tracks(let ids): return .tracks(ids)
    }
  }

  /// The path of what a name refers to.
  enum PathOfPlace: Equatable {
    /// A directory, by its absolute path.
    case directory(FilePath)
    /// A file, by its absolute path.
    case file(FilePath)
  }

  /// Returns the path of what `uri` refers to. Throws as ``place(_:)`` does.
  func filePath(_ uri: String) throws(ProtocolError) -> PathOfPlace {
    switch try place(uri) {
    case .directory(let path):
      guard let directory = library.roots.absolute(path) else {
        throw ProtocolError(.noExist, "No such directory")
      }
      return .directory(directory)
    case .file(let path): return .file(path)
    case .tracks(let ids):
      let names = try library.browsing { try $0.names(ids.prefix(1)) }
      guard let path = names?.first??.path else { throw ProtocolError(.noExist, "No such directory") }
      return .file(path)
    }
  }

  /// The directories that links must not lead the client out of; `nil` for the owner.
  var reach: LibraryRoots? { isLocal ? nil : library.roots }

  /// Returns `uri` as a name in the library, or `nil` if it is none. Only the owner may use absolute paths.
  private func name(_ uri: String) -> LibraryName? {
    if let relative = LibraryName(uri) { return relative }
    guard isLocal, let path = SongURI.path(uri), path.isAbsolute else { return nil }
    return library.roots.relative(path).map { LibraryName(path: $0) }
  }

  /// Returns whether the client may use the path below the library's directory even if it is not in the index. Through
  /// links that lead out of the library, a network client may use only what the index shows.
  func mayReach(_ path: FilePath) -> Bool { isLocal || isWithin(path) }

  /// Returns whether the path leads to no place outside the library. A path that does not exist leads nowhere.
  private func isWithin(_ path: FilePath) -> Bool {
    guard let real = library.roots.absolute(path).flatMap({ try? $0.realPath() }) else { return true }
    return library.roots.really(contain: real)
  }

  /// Returns whether the index has something at `path`, which is relative to the library.
  func has(_ path: FilePath) -> Bool {
    let place = try? library.browsing { try $0.place(path) }
    return ((place ?? nil) ?? nil) != nil
  }

  /// Returns whether the index has music in or below the directory at `path`, which is relative to the library.
  func shows(_ path: FilePath) -> Bool {
    if path.isEmpty { return true }
    let place = try? library.browsing { try $0.place(path) }
    return (place ?? nil) ?? nil == .directory
  }

  /// Returns whether the client may use the contents of the directory at `path`, which is relative to the library: it
  /// is inside the library, or the index has it, even if links lead to it.
  func mayEnter(_ path: FilePath) -> Bool { mayReach(path) || shows(path) }

  /// Returns the tracks below a directory in the order of its listing: those of the directory itself, then those of
  /// each subdirectory.
  private func ids(below path: FilePath) throws(ProtocolError) -> [Int64] {
    let ids = try library.browsing { browser in
      var ids: [Int64] = []
      var waiting = [path]
      while let directory = waiting.popLast() {
        ids += try browser.trackIDs(in: directory)
        waiting += try browser.directories(in: directory).reversed().map(\.path)
      }
      return ids
    }
    return ids ?? []
  }

  /// Returns these tracks, read in pages. No more than one page of them is unpacked at a time.
  private func collection(_ title: String, _ ids: [Int64]) throws(ProtocolError) -> TrackCollection {
    let pages = TrackPages(library, ids: ids, pageSize: Self.pageSize)
    let tracks = TrackList(pages)
    if let fault = pages.fault { throw fault }
    return TrackCollection(title: title, tracks: tracks)
  }
}

/// A sequence of tracks that are read on demand. For use on one thread.
private final class TrackPages: Sequence, IteratorProtocol {
  /// The error that ended the sequence.
  private(set) var fault: ProtocolError?
  private let library: any BrowsableLibrary
  private let pageSize: Int
  private var ids: ArraySlice<Int64>
  private var page: ArraySlice<BrowsedTrack> = []

  init(_ library: any BrowsableLibrary, ids: [Int64], pageSize: Int) {
    self.library = library
    self.ids = ids[...]
    self.pageSize = pageSize
  }

  func next() -> Track? {
    while page.isEmpty {
      guard !ids.isEmpty else { return nil }
      let wanted = ids.prefix(pageSize)
      ids = ids.dropFirst(pageSize)
      do throws(ProtocolError) {
        page = try library.browsing { try $0.tracks(wanted) }?[...] ?? []
      } catch {
        fault = error
        return nil
      }
    }
    return page.removeFirst().track
  }
}

extension BrowsableLibrary {
  /// Calls `body` with a browser of this library. Returns `nil` if the library has no index.
  func browsing<Value>(
    isQuick: Bool = false, _ body: (TrackBrowser) throws -> Value
  ) throws(ProtocolError) -> Value? {
    let found: (value: Value, hasGivenUp: Bool)?
    do throws(LibraryError) {
      found = try browse(isQuick: isQuick) { browser in
        let value = try body(browser)
        return (value, browser.hasGivenUp)
      }
    } catch {
      throw ProtocolError(.system, error.description)
    }
    if found?.hasGivenUp == true { throw .tooCostlyPattern }
    return found?.value
  }
}

extension CommandContext {
  /// Returns the tracks of the file or directory `uri`.
  func tracks(uri: String) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(uri: uri).tracks
  }

  /// Returns the single track that `uri` names, or `nil` if it names none or a directory.
  func track(uri: String) throws(ProtocolError) -> Track? {
    let places = try LibraryTracks(self)
    do throws(ProtocolError) {
      if case .directory = try places.place(uri) { return nil }
      let tracks = try places.tracks(uri: uri).tracks
      return tracks.count == 1 ? tracks.first : nil
    } catch {
      guard error.code == .noExist else { throw error }
      return nil
    }
  }

  /// Returns the tracks that match `request`.
  func tracks(_ request: FindRequest) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(matching: request.filter, order: request.order, range: request.window)
      .tracks
  }
}
