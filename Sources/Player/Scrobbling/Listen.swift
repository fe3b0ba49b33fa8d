// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform

/// What scrobbling services learn of a play of a track.
public struct Listen: Sendable, Hashable, Codable {
  /// The earliest time that ListenBrainz accepts: before, there were no such services, and the clock must be wrong.
  static let earliestTime: Int64 = 1_033_430_400

  /// The time when the play began, in seconds since 1970.
  public var time: Int64
  /// The artists as the tags credit them.
  public var artist: String
  public var title: String
  public var album: String?
  /// The album artists, if they are others than the artists of the track.
  public var albumArtist: String?
  /// The track number.
  public var number: Int?
  /// The duration of the whole track.
  public var milliseconds: Int64?
  // What MusicBrainz identifies; only well-formed identifiers.
  public var recordingID: String?
  public var trackID: String?
  public var releaseID: String?
  public var releaseGroupID: String?
  public var artistIDs: [String] = []
  public var workIDs: [String] = []

  /// Creates the listen to `track` that began at `time`; returns `nil` if its tags do not name it, or for a stream.
  ///
  /// - Parameter duration: The duration as decoded, if the tags do not state it.
  public init?(_ track: Track, time: Int64, duration: Duration? = nil) {
    let artist = track.artistCredit
    guard StreamAddress(track.path) == nil, !artist.isEmpty, !track.title.isEmpty else { return nil }
    (self.time, self.artist, title) = (time, artist, track.title)
    album = track.album
    let albumArtist = track.albumArtistCredit
    self.albumArtist = albumArtist.isEmpty || albumArtist == artist ? nil : albumArtist
    number = track.number.map(\.number)
    let whole = track.range?.wholeDuration ?? track.duration ?? duration
    milliseconds = whole.flatMap { Int64(exactly: $0.wholeMilliseconds) }.flatMap { $0 > 0 ? $0 : nil }
    let tags = track.additionalTags
    recordingID = tags[.musicBrainzTrackID].lazy.compactMap(Self.identifier).first
    trackID = tags[.musicBrainzReleaseTrackID].lazy.compactMap(Self.identifier).first
    releaseID = track.musicBrainzAlbumID.flatMap(Self.identifier)
    releaseGroupID = tags[.musicBrainzReleaseGroupID].lazy.compactMap(Self.identifier).first
    artistIDs = tags[.musicBrainzArtistID].compactMap(Self.identifier)
    workIDs = tags[.musicBrainzWorkID].compactMap(Self.identifier)
  }

  /// Returns an identifier in lower case; `nil` if `text` is none. ListenBrainz would refuse the whole listen.
  static func identifier(_ text: String) -> String? {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isHexadecimal = groups.joined().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
    return isHexadecimal && groups.map(\.count) == [8, 4, 4, 4, 12] ? text.lowercased() : nil
  }

  /// Whether the rules of a service count a play of the track; that half of it or four minutes were played is known.
  func counts(for service: ScrobbleService) -> Bool {
    switch service {
    case .listenBrainz: true
    case .lastFM: milliseconds.map { $0 > 30_000 } ?? false
    }
  }
}

/// That the user loves a track, or no longer does.
public struct Love: Sendable, Hashable, Codable {
  public var artist: String
  public var title: String
  public var recordingID: String?
  public var isLoved: Bool

  /// Creates the love of a track; returns `nil` if its tags do not name it.
  public init?(_ track: Track, isLoved: Bool) {
    guard let listen = Listen(track, time: 0) else { return nil }
    (artist, title, recordingID, self.isLoved) = (listen.artist, listen.title, listen.recordingID, isLoved)
  }
}

/// A service to which plays can be sent.
public enum ScrobbleService: String, Sendable, Codable, CaseIterable {
  case listenBrainz = "listenbrainz"
  case lastFM = "lastfm"

  /// The name of the service for people.
  public var title: String {
    switch self {
    case .listenBrainz: "ListenBrainz"
    case .lastFM: "Last.fm"
    }
  }
}
