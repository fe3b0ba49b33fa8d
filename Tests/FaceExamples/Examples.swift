// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
import Flux
package import MusicModel
package import PlayerFlow
import SystemPackage

/// Example tracks, queues and states for tests of the user interface.
package enum Examples {
  /// Returns a track with these tags. Its file name is `title` followed by `suffix`.
  package static func track(
    _ title: String, artist: String? = "Miles Davis", album: String? = "Kind of Blue", seconds: Int? = 325,
    number: Int? = nil, disc: Ordinal? = nil, suffix: String = ""
  ) -> Track {
    var track = Track(path: FilePath("/music/\(title)\(suffix)"), title: title)
    track.artists = artist.map { [$0] } ?? []
    track.album = album
    track.duration = seconds.map { .seconds($0) }
    track.number = number.map { Ordinal($0) }
    track.disc = disc
    return track
  }

  /// Returns a queue of `tracks`, of which the one at the index `current` is current.
  package static func queue(_ tracks: [Track], title: String = "Kind of Blue", current: Int? = 0) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: title, tracks: tracks), item: current))
    return queue
  }

  /// Returns the playback state that results from `actions`, starting with a stopped player.
  package static func state(_ actions: [PlaybackAction]) -> PlaybackState {
    var state = PlaybackState()
    for action in actions { _ = state.reduce(action) }
    return state
  }

  /// Returns the state in which the current item of `queue` has been playing for `seconds`.
  ///
  /// - Parameter depth: The bit depth of the file, or `nil` if the file is lossy.
  package static func playing(_ queue: PlayQueue, seconds: Double, volume: Int = 100, depth: SampleDepth? = nil)
    -> PlaybackState
  {
    let coding = depth.map { SampleCoding.integer(bits: $0.rawValue) } ?? .lossy
    guard let item = queue.current,
      let format = AudioFormat(sampleRate: 44_100, channels: 2, coding: coding)
    else { return PlaybackState() }
    return state([
      .report(.changed(.playing)),
      .report(
        .outputOpened(
          .init(
            name: "silent", format: DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16),
            latency: .zero), warning: nil)),
      .report(.started(item.id, format: format, stream: format, gain: .off, duration: item.track.duration)),
      .report(.position(item.id, .seconds(seconds))), .setVolume(Volume(percent: volume)),
    ])
  }
}
