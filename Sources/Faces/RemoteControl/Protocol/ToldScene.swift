import MusicModel
import Platform
import QueueFlow
import SystemPackage

/// A scene as a player tells it to another process of the same user: what a view shows of the tracks, and their files
/// byte for byte.
struct ToldScene: Codable, Equatable {
  /// What is told of a track.
  struct Song: Codable, Equatable {
    /// Its file, percent-encoded.
    let path: String
    let title: String
    let artists: [String]
    let album: String?
    let year: Int?
    /// How long it lasts, where its tags say so.
    let seconds: Double?
  }

  let song: Song?
  let position: Int?
  let count: Int
  let title: String
  let next: [Song]
  let modes: PlayerStatus.Modes

  init(_ scene: PlayingScene) {
    song = scene.track.map(Song.init)
    position = scene.position
    count = scene.count
    title = scene.title
    next = scene.next.map(Song.init)
    modes = scene.modes
  }
}

extension ToldScene.Song {
  init(_ track: Track) {
    self.init(
      path: PercentCoding.encoded(track.path.systemBytes), title: track.title, artists: track.artists,
      album: track.album, year: track.date?.year, seconds: track.duration.map { $0 / .seconds(1) })
  }
}

extension PlayingScene {
  /// The scene that was told; `nil` where that makes no sense.
  init?(_ told: ToldScene) {
    let next = told.next.compactMap { Track($0) }
    let track = told.song.flatMap { Track($0) }
    guard told.count >= 0, next.count == told.next.count, (track == nil) == (told.song == nil),
      told.position.map({ (0..<told.count).contains($0) }) ?? true
    else { return nil }
    self.init(
      track: track, position: told.position, count: told.count, title: told.title, next: next,
      modes: told.modes)
  }
}

extension Track {
  /// The track of which this was told; `nil` where it has no file.
  fileprivate init?(_ song: ToldScene.Song) {
    // No path has a byte 0.
    guard let bytes = PercentCoding.decoded(song.path[...]), !bytes.isEmpty, !bytes.contains(0) else {
      return nil
    }
    self.init(path: FilePath(systemBytes: bytes), title: song.title)
    artists = song.artists
    album = song.album
    date = song.year.flatMap { ReleaseDate(year: $0) }
    duration = song.seconds.flatMap { $0 >= 0 && $0 < 1e9 ? .seconds($0) : nil }
  }
}
