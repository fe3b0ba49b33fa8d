// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Tagging
import UserSettings

/// The `gain` command: measures the loudness of tracks and albums.
struct GainCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "gain", abstract: "Measure the loudness of albums for ReplayGain.",
    discussion: """
      Measures the loudness (EBU R 128), loudness range and true peak of each track, and the loudness of each album as \
      a whole, and saves them in the index for playback. Unchanged files are not measured again. A single file is \
      measured on its own, without its album.

      --write also writes the gains to the tags of the files: REPLAYGAIN tags, and R128 tags in Opus files.

      Examples:
        gain "Kind of Blue"
        gain --all --write
      """)

  @Argument(help: "Albums: titles, ARTIST/ALBUM or paths.")
  var albums: [String] = []

  @Flag(name: .long, help: "Measure all albums in the library.")
  var all = false

  @Flag(name: .long, help: "Measure all files again, even unchanged ones.")
  var again = false

  @Flag(name: .long, help: "Write the gains to the tags of the files.")
  var write = false

  @Flag(name: .long, help: "Print one JSON object per track.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func validate() throws {
    guard all == albums.isEmpty else {
      throw ValidationError(
        all ? "name albums or use --all, not both" : "Missing expected argument '<albums> ...'")
    }
  }

  func run(in session: Session) throws {
    let events = try EventQueue<GainEvent>()
    let watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    let request = library.request(in: session)
    let finder = GainFinder(finder: session.finder(request))
    let (measurer, openLoudness) = (session.services.library.measurer, session.services.library.openLoudness)
    let cancellation = GainCancellation()
    let threshold = session.settings.silenceThreshold
    let skipsSilence = session.settings.silenceSkipping != nil
    let worker = try WorkerThread(name: "segue-gain") { [albums, again, write] in
      let result = Result { () throws(PlayerError) in
        let found = try albums.isEmpty ? finder.everything() : finder.find(albums)
        for problem in found.problems { events.post(.problem("skipped \(problem)")) }
        let index = try openLoudness(request.dataDirectory)
        if let warning = index.warning { events.post(.problem(warning)) }
        return try GainRun(
          found.albums, index: index, measurer: measurer, remeasures: again, writes: write,
          threshold: threshold, requiresSameThreshold: skipsSilence, cancellation: cancellation, events: events
        ).perform()
      }
      events.post(.ended(result))
    }
    let view = GainView(session, events: events, printsJSON: json)
    session.status = try withExtendedLifetime(watch) {
      try view.run(worker: worker, cancellation: cancellation)
    }
  }
}

/// Finds the albums whose loudness is to be measured.
struct GainFinder: Sendable {
  let finder: CollectionFinder

  /// Returns all albums of the library. Blocks while files are read.
  func everything() throws(PlayerError) -> (albums: [GainAlbum], problems: [LibraryProblem]) {
    let albums = try finder.library.allAlbums()
    if albums.isEmpty {
      throw PlayerError.noMusic(
        in: finder.library.roots, problemCount: finder.library.openIndex?.problemCount ?? 0)
    }
    return Self.measurable(albums.map { GainAlbum($0) })
  }

  /// Returns the albums in which each track is a whole file. The other albums are returned as problems, since loudness
  /// is only stored for whole files.
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

  /// Returns the albums to which `names` refer, without duplicates. The name of a directory can refer to several
  /// albums.
  func find(_ names: [String]) throws(PlayerError) -> (albums: [GainAlbum], problems: [LibraryProblem]) {
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
