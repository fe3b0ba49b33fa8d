import MusicModel

extension PlainLine {
  /// The line of a track in a list, at the position `number` counted from 1; of `marks`, the words that are true stand
  /// behind its title.
  init(track: Track, number: Int?, marks: [(isOn: Bool, word: String)] = []) {
    self = marks.filter(\.isOn).reduce(PlainLine(track.title, number: number)) { $0.adding($1.word) }
      .adding(track.artists.joined(separator: ", "), as: "artist").adding(track.album, as: "album")
      .adding(time: track.duration)
  }
}
