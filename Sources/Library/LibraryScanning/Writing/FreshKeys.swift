import MusicModel
import Tagging

/// Tells which of the tracks that a first scan reads together nothing else depends on: nothing that was read, nor
/// anything that is to be written along with them.
///
/// Of all keys and releases that it was told of it keeps a number each. Those that share one count as the same, which
/// costs nothing but time.
struct FreshKeys {
  private var seen: Set<Int> = []

  /// Of each part of `tracks`, given by their places, whether others depend on it. What was told counts as read from
  /// then on.
  mutating func areFresh(_ parts: [Range<Int>], of tracks: [PendingTrack]) -> [Bool] {
    var areFresh = Array(repeating: true, count: parts.count)
    var owners: [Int: Int] = [:]
    for (number, part) in parts.enumerated() {
      for mark in marks(tracks[part]) {
        let owner = owners[mark] ?? number
        if owner != number {
          areFresh[owner] = false
          areFresh[number] = false
        } else if seen.contains(mark) {
          areFresh[number] = false
        }
        owners[mark] = owner
      }
    }
    seen.formUnion(owners.keys)
    return areFresh
  }

  /// The numbers of the tracks' keys and releases, those of tracks that follow one another once.
  private func marks(_ tracks: ArraySlice<PendingTrack>) -> [Int] {
    var marks: [Int] = []
    var lastKey: ByteText?
    var lastRelease: ByteText?
    for track in tracks {
      let key = ByteText(track.record.groupKey)
      if key != lastKey {
        lastKey = key
        marks.append(key.hashValue)
      }
      guard let id = track.record.track.musicBrainzAlbumID else { continue }
      let release = ByteText(id)
      if release != lastRelease {
        lastRelease = release
        marks.append(~release.hashValue)
      }
    }
    return marks
  }
}
