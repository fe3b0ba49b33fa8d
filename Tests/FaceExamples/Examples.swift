// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
import Flux
package import MusicModel
package import PlayerFlow
import SystemPackage

/// Creates example tracks, queues and states for the tests of views.
package enum Examples {
  /// Returns a track with these tags. The name of its file is its title.
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

  /// Returns the queue of a player that was asked to play `tracks`, starting at the index `current`.
  package static func queue(_ tracks: [Track], title: String = "Kind of Blue", current: Int? = 0) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: title, tracks: tracks), item: current))
    return queue
  }

  /// Returns the state of a stopped player after `actions`.
  package static func state(_ actions: [PlaybackAction]) -> PlaybackState {
    var state = PlaybackState()
    for action in actions { _ = state.reduce(action) }
    return state
  }

  /// Returns the state in which the first item of `queue` has been playing for `seconds`.
  ///
  /// - Parameter depth: The bit depth of the file; `nil` for a lossy file.
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
