// SPDX-License-Identifier: GPL-3.0-or-later

/// The names that FFmpeg, QuickTime and Matroska give to fields.
enum ForeignNames {
  /// Returns the fields in tags that FFmpeg has read, by TagLib's names.
  static func values(of tags: [ProbedAudio.Tag]) -> NamedValues {
    var values = NamedValues()
    for tag in tags {
      let name = taglibName(tag.name)
      if !technical.contains(name), !name.hasPrefix("_") { values.append(tag.value, to: name) }
    }
    return values
  }

  /// Returns TagLib's name for a field with this name.
  static func taglibName(_ name: String) -> String {
    var upper = name.uppercased()
    // Matroska: what is said of the album, and of the track alone.
    if upper.hasPrefix("TRACK/") { upper = String(upper.dropFirst(6)) }
    if upper.hasPrefix("ALBUM/") {
      upper = String(upper.dropFirst(6))
      if let name = ofAlbums[upper] { return name }
    }
    return names[upper] ?? NamedValues.taggersName(upper)
  }

  private static let ofAlbums = ["TITLE": "ALBUM", "ARTIST": "ALBUMARTIST"]

  /// What describes the file rather than the music.
  private static let technical: Set<String> = [
    "ENCODER", "DURATION", "LANGUAGE", "MAJOR_BRAND", "MINOR_VERSION", "COMPATIBLE_BRANDS", "HANDLER_NAME",
    "VENDOR_ID", "CREATION_TIME", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "SOURCE_ID", "ENCODING_TOOL",
  ]

  private static let names = [
    "ALBUM_ARTIST": "ALBUMARTIST", "ALBUM-ARTIST": "ALBUMARTIST", "TRACK": "TRACKNUMBER",
    "PART_NUMBER": "TRACKNUMBER", "TOTAL_PARTS": "TRACKTOTAL", "DISC": "DISCNUMBER", "DISPLAYNAME": "TITLE",
    "AUTHOR": "ARTIST", "CREATION_DATE": "DATE", "CREATIONDATE": "DATE", "DATE_RELEASED": "DATE",
    "DATE_RECORDED": "DATE", "YEAR": "DATE", "PUBLISHER": "LABEL", "TITLE-SORT": "TITLESORT",
    "ARTIST-SORT": "ARTISTSORT", "ALBUM-SORT": "ALBUMSORT", "ALBUM_ARTIST-SORT": "ALBUMARTISTSORT",
    "COMPOSER-SORT": "COMPOSERSORT", "SORT_NAME": "TITLESORT", "SORT_ARTIST": "ARTISTSORT",
    "SORT_ALBUM": "ALBUMSORT", "SORT_ALBUM_ARTIST": "ALBUMARTISTSORT", "SORT_COMPOSER": "COMPOSERSORT",
    "LYRICS-ENG": "LYRICS", "LYRICS-XXX": "LYRICS", "CATALOG_NUMBER": "CATALOGNUMBER",
  ]
}
