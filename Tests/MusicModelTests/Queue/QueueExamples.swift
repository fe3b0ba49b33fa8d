import MusicModel
import SystemPackage

/// Tracks of a small library: albums with and without artists, loose files, and parts of a file.
enum QueueExamples {
  /// The first of them.
  static let tracks = (0..<40).map { track($0) }

  static func track(_ number: Int) -> Track {
    let album = number / 5
    var track = Track(path: FilePath("/music/\(album % 4)/\(number).flac"), title: "Title \(number * 7 % 11)")
    track.album = album == 3 ? nil : "Album \(album % 6)"
    track.albumArtists = album == 2 ? [] : ["Artist \(album)"]
    track.artists = ["Artist \(album)", "Guest"]
    track.number = Ordinal(number % 5 + 1, of: 5)
    track.duration = number % 9 == 0 ? nil : .milliseconds(number * 1_237 % 300)
    track.date = album % 3 == 0 ? nil : ReleaseDate(year: 1_990 - album, month: album % 3 == 1 ? 5 : nil)
    if number % 11 == 5 { track.sortNames.title = "Sorted \(number % 4)" }
    if album == 5 { track.sortNames.albumArtist = "artist 1" }
    if number == 9 { track.artists = [] }
    if number % 8 == 7 {
      track.path = "/music/big.flac"
      track.segment = TrackSegment(start: number * 100, end: number % 2 == 0 ? nil : number * 100 + 99)
    }
    return track
  }
}
