// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Scrobbling
import SystemPackage
import UserSettings

extension Session {
  /// Returns what scrobbling uses in the data directory.
  func scrobbling(in directory: FilePath) -> ScrobbleContext {
    services.makeScrobbling(directory, settings.scrobbling)
  }
}

extension Settings {
  /// How the user wants to scrobble.
  var scrobbling: ScrobbleSettings {
    var scrobbling = ScrobbleSettings(version: SegueCommand.version)
    scrobbling.listenBrainzAddress = word(.scrobbleListenBrainz)
    scrobbling.lastFMAddress = word(.scrobbleLastFM)
    if case .list(let words)? = self[.scrobbleTokenCommand] { scrobbling.tokenCommand = words }
    scrobbling.sendsLoves = flag(.scrobbleLoves) ?? false
    scrobbling.lovedRating = number(.scrobbleLovedRating).map { Int(($0 * 2).rounded(.up)) }
    return scrobbling
  }
}

extension ScrobbleContext {
  /// Stores what the user thinks of tracks, if that is to be sent.
  var noteMark: (@Sendable ([Track], TrackMark) -> Void)? {
    guard settings.sendsLoves else { return nil }
    return { tracks, mark in
      switch mark {
      case .liked(let isLiked): marked(tracks, isLiked: isLiked)
      case .rating(let halves): marked(tracks, rating: halves)
      case .albumRating, .toggleLiked: break
      }
    }
  }
}
