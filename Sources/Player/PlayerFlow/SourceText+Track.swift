// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel

extension Track {
  /// Returns the track as its stream describes it now: with the title of what it plays, and with the name of the
  /// station as the album. Without `text`, returns the track unchanged.
  public func described(by text: SourceText?) -> Track {
    guard let text else { return self }
    var track = self
    if let title = text.title ?? text.station { track.title = title }
    if let station = text.station {
      track.album = station
      track.additionalTags = AdditionalTags(track.additionalTags.values + [AdditionalTags.Value(.name, station)])
    }
    return track
  }
}
