// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Finds the tracks that a client names by a file, a directory or a filter. Calls block while the disk is read.
struct LibraryTracks {
  /// What a URI refers to.
  enum Target: Equatable {
    /// A directory of the library; the path is relative to the library.
    case directory(FilePath)
    /// Tracks of the library, by their IDs.
    case tracks([Int64])
    /// A file outside the library, which only the owner may name.
    case file(FilePath)
    case stream(StreamAddress)
  }

  /// The number of tracks that are read at a time.
  private static let pageSize = 256

  /// The files that may be opened for the client. Nothing else opens one.
  let reach: FileReach
  private let library: any BrowsableLibrary
  private let isLocal: Bool
  private let mayUseAddresses: Bool

  /// Creates a finder for the client of `context`.
  init(_ context: CommandContext) throws(ProtocolError) {
    library = try context.library.index
    isLocal = context.client.isLocal
    mayUseAddresses = context.client.permission.contains(.addresses)
    reach = isLocal ? .anywhere : library.reach
  }

  /// Returns the track of the file or stream `uri`, or all tracks in the directory `uri` and its subdirectories, in the
  /// order in which they are listed. The owner may use absolute paths to name files outside the library.
  ///
  /// - Throws: `noExist` if there is no such file or directory.
  func tracks(uri: String) throws(ProtocolError) -> TrackCollection {
    switch try resolve(uri) {
    case .directory(let path): return try collection(path.lastComponent?.string ?? "", try ids(below: path))
    case .tracks(let ids): return try collection(uri, ids)
    case .stream(let address):
      return TrackCollection(
        title: address.description, tracks: [Track(path: address.path, title: address.description)])
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
  ///
  /// - Throws: `noExist` if there is no such file or directory; `permission` if the client may not use addresses.
  func resolve(_ uri: String) throws(ProtocolError) -> Target {
    if let address = StreamAddress(uri) {
      guard mayUseAddresses else { throw ProtocolError(.permission, "you don't have permission for addresses") }
      return .stream(address)
    }
    guard let name = name(uri) else {
      // The owner may name any file.
      guard isLocal, let path = SongURI.path(uri), path.isAbsolute, FileStatus.isFile(at: path) == true else {
        throw ProtocolError(.noExist, "No such directory")
      }
      return .file(path)
    }
    let found = try library.browsing { browser -> BrowsedTarget? in
      if let target = try browser.target(at: name.path) { return target }
      guard let (file, start) = name.segment else { return nil }
      return try browser.track(file, segment: start).map { .tracks([$0]) }
    }
    // The root directory exists even in a library that has never been scanned.
    if name.path.isEmpty { return .directory(name.path) }
    guard let target = found ?? nil else { throw ProtocolError(.noExist, "No such directory") }
    switch target {
    case .directory: return .directory(name.path)
    case .tracks(let ids): return .tracks(ids)
    }
  }

  /// The absolute path to which a URI refers, and its kind.
  enum ResolvedPath: Equatable {
    /// The absolute path of a directory.
    case directory(FilePath)
    /// The absolute path of a file.
    case file(FilePath)
  }

  /// Returns the absolute path to which `uri` refers.
  ///
  /// - Throws: `noExist` if there is no such file or directory.
  func filePath(_ uri: String) throws(ProtocolError) -> ResolvedPath {
    switch try resolve(uri) {
    case .directory(let path):
      guard let directory = library.roots.absolute(path) else {
        throw ProtocolError(.noExist, "No such directory")
      }
      return .directory(directory)
    case .file(let path): return .file(path)
    case .stream: throw ProtocolError(.noExist, "No such directory")
    case .tracks(let ids):
      let names = try library.browsing { try $0.names(ids.prefix(1)) }
      guard let path = names?.first??.path else { throw ProtocolError(.noExist, "No such directory") }
      return .file(path)
    }
  }

  /// Returns `uri` as a name in the library, or `nil` if it is not in the library. Only the owner may use absolute
  /// paths.
  func name(_ uri: String) -> LibraryName? {
    if let relative = LibraryName(uri) { return relative }
    guard isLocal, let path = SongURI.path(uri), path.isAbsolute else { return nil }
    return library.roots.relative(path).map { LibraryName(path: $0) }
  }

  /// Returns the IDs of the tracks in a directory and its subdirectories, in the order in which they are listed: first
  /// those of a directory itself, then those of each subdirectory.
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

  /// Returns the tracks with these IDs. They are read in pages, so that only one page at a time is in memory unpacked.
  private func collection(_ title: String, _ ids: [Int64]) throws(ProtocolError) -> TrackCollection {
    let pages = TrackPages(library, ids: ids, pageSize: Self.pageSize)
    let tracks = TrackList(pages)
    if let error = pages.error { throw error }
    return TrackCollection(title: title, tracks: tracks)
  }
}

/// A sequence of tracks that are read from the library when they are needed. Use it on one thread only.
private final class TrackPages: Sequence, IteratorProtocol {
  /// The error that ended the sequence early, if any.
  private(set) var error: ProtocolError?
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
      let pageIDs = ids.prefix(pageSize)
      ids = ids.dropFirst(pageSize)
      do throws(ProtocolError) {
        page = try library.browsing { try $0.tracks(pageIDs) }?[...] ?? []
      } catch {
        self.error = error
        return nil
      }
    }
    return page.removeFirst().track
  }
}

extension BrowsableLibrary {
  /// Calls `body` with a browser of the library, and returns its result. Returns `nil` if the library has no index yet.
  func browsing<Value>(
    isQuick: Bool = false, _ body: (TrackBrowser) throws -> Value
  ) throws(ProtocolError) -> Value? {
    let found: (value: Value, isIncomplete: Bool)?
    do throws(LibraryError) {
      found = try browse(isQuick: isQuick) { browser in
        let value = try body(browser)
        return (value, browser.isIncomplete)
      }
    } catch {
      throw ProtocolError(.system, error.description)
    }
    if found?.isIncomplete == true { throw .tooCostlyPattern }
    return found?.value
  }
}

extension CommandContext {
  /// Returns the track of the file `uri`, or all tracks in the directory `uri`.
  func tracks(uri: String) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(uri: uri).tracks
  }

  /// Returns the single track to which `uri` refers; `nil` if it refers to a directory or to nothing.
  func track(uri: String) throws(ProtocolError) -> Track? {
    let finder = try LibraryTracks(self)
    do throws(ProtocolError) {
      if case .directory = try finder.resolve(uri) { return nil }
      let tracks = try finder.tracks(uri: uri).tracks
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
