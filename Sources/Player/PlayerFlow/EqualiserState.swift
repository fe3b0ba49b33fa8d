// SPDX-License-Identifier: GPL-3.0-or-later

public import Equalising

/// A profile of the equaliser, with the name that the user has given it.
public struct NamedEqualiser: Sendable, Hashable {
  public let name: String
  public let profile: EqualiserProfile

  public init(name: String, profile: EqualiserProfile) {
    self.name = name
    self.profile = profile
  }
}

/// The profiles of the equaliser and the levels of crossfeed, each of which belongs to an output, and follows it.
public struct EqualiserState: Sendable, Hashable {
  /// The profiles, by the names of their outputs.
  public internal(set) var profiles: [String: NamedEqualiser] = [:]
  /// The levels of crossfeed, by the names of their outputs.
  public internal(set) var crossfeeds: [String: Crossfeed] = [:]
  /// The name of the output that plays, or will play: as for `--output`, and with the sink of a sound server once that
  /// is known. `nil` if there is no player.
  public internal(set) var output: String?
  /// Whether neither a profile nor a crossfeed is applied for now.
  public internal(set) var isBypassed = false

  /// The profile of the output, bypassed or not; `nil` if it has none.
  public var chosen: NamedEqualiser? { output.flatMap { profiles[$0] } }

  /// The crossfeed of the output, bypassed or not; `nil` if it has none.
  public var chosenCrossfeed: Crossfeed? { output.flatMap { crossfeeds[$0] } }

  /// The profile that is applied; `nil` if there is none.
  public var active: NamedEqualiser? { isBypassed ? nil : chosen }

  /// The crossfeed that is applied to stereo; `nil` if there is none.
  public var activeCrossfeed: Crossfeed? { isBypassed ? nil : chosenCrossfeed }
}
