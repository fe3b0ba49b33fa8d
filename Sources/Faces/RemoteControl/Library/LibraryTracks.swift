import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Finds the tracks that a client means: by the name of a file or directory, or by a filter. It blocks while the disk
/// does.
struct LibraryTracks {
  /// What a name names.
  enum Place: Equatable {
    /// The directory at this path below the library's.
    case directory(FilePath)
    /// These tracks of the library.
    case tracks([Int64])
    /// A file that is not in the library, for its owner.
    case file(FilePath)
  }

  /// How many tracks are read at a time.
  private static let pageSize = 256

  private let library: any BrowsableLibrary
  private let isLocal: Bool

  /// What the client of `context` may find.
  init(_ context: CommandContext) throws(ProtocolError) {
    library = try context.library.index
    isLocal = context.client.isLocal
  }

  /// The tracks of the file, or below the directory, that `uri` names; in the order in which it is listed.
  ///
  /// - Throws: `noExist` where it names nothing of the library; for its owner, absolute paths may name other files.
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

  /// The tracks of which `filter` is true.
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

  /// What `uri` names.
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
    // Of a library that was never read there is at least its own directory.
    if name.path.isEmpty { return .directory(name.path) }
    guard let place = found ?? nil else { throw ProtocolError(.noExist, "No such directory") }
    switch place {
    case .directory: return .directory(name.path)
    case .tracks(let ids): return .tracks(ids)
    }
  }

  /// Where something is that a name names.
  enum PathOfPlace: Equatable {
    /// A directory; absolute.
    case directory(FilePath)
    /// A file; absolute.
    case file(FilePath)
  }

  /// Where what `uri` names is. Throws as ``place(_:)`` does.
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

  /// The directories out of which no link may lead the client; `nil` for the owner.
  var reach: LibraryRoots? { isLocal ? nil : library.roots }

  /// What `uri` names below the library's directory; `nil` where it does not. Only the owner may name by absolute
  /// paths.
  private func name(_ uri: String) -> LibraryName? {
    if let relative = LibraryName(uri) { return relative }
    guard isLocal, let path = SongURI.path(uri), path.isAbsolute else { return nil }
    return library.roots.relative(path).map { LibraryName(path: $0) }
  }

  /// Whether the client may use what is at `path` below the library's directory though the library need not have it: of
  /// what links lead to outside, no more than what the library shows.
  func mayReach(_ path: FilePath) -> Bool { isLocal || isWithin(path) }

  /// Whether no link leads from the library to what is outside; what is not there leads nowhere.
  private func isWithin(_ path: FilePath) -> Bool {
    guard let real = library.roots.absolute(path).flatMap({ try? $0.realPath() }) else { return true }
    return library.roots.really(contain: real)
  }

  /// Whether the library has something at `path` below its own directory.
  func has(_ path: FilePath) -> Bool {
    let place = try? library.browsing { try $0.place(path) }
    return ((place ?? nil) ?? nil) != nil
  }

  /// Whether the library has music in the directory at `path` below its own, or below that.
  func shows(_ path: FilePath) -> Bool {
    if path.isEmpty { return true }
    let place = try? library.browsing { try $0.place(path) }
    return (place ?? nil) ?? nil == .directory
  }

  /// Whether the client may use what is in the directory at `path` below the library's: it is in the library, though
  /// links lead to it, or lies within.
  func mayEnter(_ path: FilePath) -> Bool { mayReach(path) || shows(path) }

  /// The tracks below a directory, in the order in which it is listed: those of the directory itself, then those of
  /// each in it.
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

  /// These tracks, read page by page: never more than a page of them is there unpacked.
  private func collection(_ title: String, _ ids: [Int64]) throws(ProtocolError) -> TrackCollection {
    let pages = TrackPages(library, ids: ids, pageSize: Self.pageSize)
    let tracks = TrackList(pages)
    if let fault = pages.fault { throw fault }
    return TrackCollection(title: title, tracks: tracks)
  }
}

/// Tracks that are read as they are asked for. For one thread.
private final class TrackPages: Sequence, IteratorProtocol {
  /// Why there are no more.
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
  /// What `body` finds in this library; `nil` where nothing is known of it.
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
  /// The tracks of the file or directory that `uri` names.
  func tracks(uri: String) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(uri: uri).tracks
  }

  /// The one track that `uri` names; `nil` where it names none, or a directory.
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

  /// The tracks that `request` finds.
  func tracks(_ request: FindRequest) throws(ProtocolError) -> TrackList {
    try LibraryTracks(self).tracks(matching: request.filter, order: request.order, range: request.window)
      .tracks
  }
}
