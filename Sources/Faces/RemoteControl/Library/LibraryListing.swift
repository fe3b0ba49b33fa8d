// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import SystemPackage

/// Lists the contents of a directory of the library, a few songs at a time: first the songs, then the subdirectories. A
/// recursive listing shows the contents of each subdirectory directly after its name.
struct LibraryListing: ResponseSource {
  /// What the listing contains for each song and directory.
  enum Detail {
    /// The name only.
    case names
    /// All metadata.
    case full
  }

  /// The number of songs of a large directory that are read at a time.
  private static let pageSize = 128
  /// The approximate size in bytes of a piece of the response.
  private static let pieceSize = 1 << 17
  /// The approximate maximum number of songs and directories that are examined for a piece of the response.
  private static let pieceCount = 1 << 12

  private let library: any BrowsableLibrary
  private var songs: SongLineWriter
  private let isRecursive: Bool
  /// The directories that have not been listed yet, in reverse order.
  private var waiting: [BrowsedDirectory] = []
  /// The directory whose songs are to be listed next, if any.
  private var entered: FilePath?
  /// The directory whose subdirectories are to be listed next, if any.
  private var directory: FilePath?
  private var ids: ArraySlice<Int64> = []
  /// Access to the playlists; `nil` if they are not listed.
  private var access: PlaylistAccess?
  /// The lines of playlists, at the end of the listing.
  private var playlists = Response()

  /// Creates a listing of the directory at `path`, which is relative to the library.
  ///
  /// A full listing that is not recursive ends with the playlists and cue sheets in the directory. That of the root
  /// directory also contains the stored playlists, since old clients look for them there.
  /// Subdirectories that contain only playlists are listed, too.
  init(
    _ context: CommandContext, _ path: FilePath, detail: Detail, isRecursive: Bool
  ) throws(ProtocolError) {
    if detail == .full, !isRecursive {
      let access = try PlaylistAccess(context)
      self.access = access
      playlists = access.listing(in: path)
      if path.isEmpty, !context.client.features.contains(.hidesPlaylistsInRoot) {
        playlists.add(try access.listing())
      }
    }
    library = try context.library.index
    songs = SongLineWriter(SongText(context), detail)
    self.isRecursive = isRecursive
    // A recursive listing begins with the directory itself.
    if isRecursive, !path.isEmpty {
      waiting = try (library.browsing { try $0.directory(path) } ?? nil).map { [$0] } ?? []
    } else {
      (entered, directory) = (path, path)
      songs.beginDirectory(path)
    }
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let hasIndex =
      try library.browsing { browser in
        var lines = LineBuffer(capacity: Self.pieceSize + Self.pieceSize / 4)
        var count = 0
        while lines.count < Self.pieceSize, count < Self.pieceCount, !isAtEnd {
          count += try step(browser, &lines)
        }
        response.add(lines)
        return true
      } ?? false
    if isAtEnd || !hasIndex { response.add(playlists) }
    return hasIndex && !isAtEnd
  }

  private var isAtEnd: Bool { ids.isEmpty && entered == nil && directory == nil && waiting.isEmpty }

  /// Lists the next directory or the next songs. Returns the approximate number of items.
  private mutating func step(_ browser: TrackBrowser, _ lines: inout LineBuffer) throws -> Int {
    if !ids.isEmpty {
      let page = ids.prefix(Self.pageSize)
      ids = ids.dropFirst(Self.pageSize)
      try songs.addChecked(to: &lines) { songs, lines in
        try browser.listTracks(page) { track, _ in songs.add(track, to: &lines) }
      }
      return page.count
    }
    if let path = entered {
      entered = nil
      let isListed = try songs.addAll(in: path, browser, to: &lines)
      if !isListed { ids = try browser.trackIDs(in: path)[...] }
      return 1
    }
    if let path = directory {
      directory = nil
      let found = try browser.directories(in: path) { path in
        guard let access else { return false }
        return try browser.hasDirectory(in: path, where: access.hasPlaylists)
      }
      if isRecursive {
        waiting += found.reversed()
      } else {
        for directory in found { songs.beginDirectory(directory, to: &lines) }
      }
      return found.count / 8 + 1
    }
    guard let next = waiting.popLast() else { return 1 }
    songs.beginDirectory(next, to: &lines)
    entered = next.hasTracks ? next.path : nil
    directory = next.hasDirectories ? next.path : nil
    return 1
  }
}

/// Lists songs of the library, a few at a time.
struct SongListing: ResponseSource {
  /// The maximum number of songs in a piece of the response.
  private static let pageSize = 512
  /// The approximate maximum size in bytes of a piece of the response.
  private static let pieceSize = 1 << 17

  private let library: any BrowsableLibrary
  private var songs: SongLineWriter
  private var ids: ArraySlice<Int64>

  /// Creates a listing of the songs with these IDs, in the given order.
  init(
    _ library: any BrowsableLibrary, _ ids: [Int64], _ text: SongText, detail: LibraryListing.Detail = .full
  ) {
    self.library = library
    songs = SongLineWriter(text, detail)
    self.ids = ids[...]
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = ids.prefix(Self.pageSize)
    ids = ids.dropFirst(Self.pageSize)
    try library.browsing { browser in
      var lines = LineBuffer(capacity: min(page.count * 512, Self.pieceSize) + 1_024)
      try songs.addChecked(to: &lines) { songs, lines in
        try browser.listTracks(page) { track, directory in
          if let directory { songs.beginDirectory(directory) }
          songs.add(track, to: &lines)
        }
      }
      response.add(lines)
    }
    return !ids.isEmpty
  }
}
