import MusicModel
import UnicodeText

extension TrackEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .right, .left, .right], flexible: [0, 1, 3]) }

  var cells: [String] {
    let disc = track.disc.flatMap { ($0.total ?? 1) > 1 || $0.number > 1 ? "\($0.number)-" : nil } ?? ""
    return [
      track.artists.joined(separator: ", "), track.album ?? "",
      track.number.map { "\(disc)\($0.number)" } ?? "",
      track.title, TimeText.text(track.duration),
    ]
  }

  var object: ListedObject {
    var object = ListedObject(.track)
    object.id = id
    object.setPath(track.path)
    object.title = track.title
    object.artists = track.artists
    object.album = track.album
    object.albumArtists = track.albumArtists
    object.albumID = albumID
    object.genres = track.genres
    object.composers = track.composers
    object.track = track.number?.number
    object.disc = track.disc?.number
    object.date = track.date?.text
    object.compilation = track.isCompilation
    object.seconds = track.duration.map { $0 / .seconds(1) }
    let framesPerSecond = Double(TrackSegment.framesPerSecond)
    object.start = track.segment.map { Double($0.start) / framesPerSecond }
    object.end = track.segment?.end.map { Double($0) / framesPerSecond }
    object.sampleRate = track.audio?.sampleRate
    object.channels = track.audio?.channels
    object.bits = track.audio?.bitDepth
    object.added = added
    return object
  }
}
