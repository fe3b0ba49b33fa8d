// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel

extension Track {
  /// Returns the track as its stream describes it now: with the title and the artists of what it plays, and with its
  /// album, or the name of the station instead. Without `text`, returns the track unchanged.
  public func described(by text: SourceText?) -> Track {
    guard let text else { return self }
    var track = self
    if let title = text.title ?? text.station { track.title = title }
    // The artists of a track in a playlist are not those of each title.
    if text.title != nil { track.artists = text.artists }
    if let album = text.album ?? text.station { track.album = album }
    if let station = text.station {
      track.additionalTags = AdditionalTags(track.additionalTags.values + [AdditionalTags.Value(.name, station)])
    }
    return track
  }
}
