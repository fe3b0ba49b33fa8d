import MusicLibrary
import MusicModel
import Platform
import SystemPackage

/// Finds the albums that are to be measured.
struct GainFinder: Sendable {
  let finder: CollectionFinder

  /// All albums of the library. Blocks while files are read.
  func everything() throws(CommandError) -> (albums: [GainAlbum], problems: [LibraryProblem]) {
    let albums = try finder.library.allAlbums()
    if albums.isEmpty {
      throw CommandError.noMusic(
        in: finder.library.roots, problemCount: finder.library.openIndex?.problemCount ?? 0)
    }
    return Self.measurable(albums.map { GainAlbum($0) })
  }

  /// The albums without those of which a track is a part of a file, and these as problems: what is known of loudness is
  /// of whole files.
  private static func measurable(
    _ albums: [GainAlbum]
  ) -> (albums: [GainAlbum], problems: [LibraryProblem]) {
    let problems = albums.compactMap { album in
      album.tracks.first { $0.segment != nil }.map {
        LibraryProblem(path: $0.path, reason: .cueSheet("the tracks of a cue sheet are not measured"))
      }
    }
    return (albums.filter { $0.tracks.allSatisfy { $0.segment == nil } }, problems)
  }

  /// The albums that `names` mean, each once; a directory may hold several.
  func find(_ names: [String]) throws(CommandError) -> (albums: [GainAlbum], problems: [LibraryProblem]) {
    var albums: [GainAlbum] = []
    var problems: [LibraryProblem] = []
    for name in names {
      let found = try finder.find(album: name, track: nil)
      problems += found.problems
      let tracks = Array(found.collection.tracks)
      if let track = tracks.first, tracks.count == 1, isFile(name) {
        albums.append(GainAlbum(file: track))
      } else {
        albums += AlbumGrouping.albums(of: tracks).map { GainAlbum($0) }
      }
    }
    var seen: Set<[FilePath]> = []
    let (measured, unmeasured) = Self.measurable(
      albums.filter { seen.insert($0.tracks.map(\.path)).inserted })
    return (measured, problems + unmeasured)
  }

  private func isFile(_ name: String) -> Bool {
    (try? FileStatus(of: FilePath(typed: name)))?.kind == .regular
  }
}
