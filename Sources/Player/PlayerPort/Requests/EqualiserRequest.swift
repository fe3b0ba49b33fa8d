// SPDX-License-Identifier: GPL-3.0-or-later

package import Equalising

/// A request about the parametric equaliser and the crossfeed. Profiles are files, each of which has a name.
package enum EqualiserRequest: Codable, Sendable, Equatable {
  /// Report the profiles, and one of them: the named one or, if none is named, that of the output.
  case report(String?)
  /// Let a profile belong to an output, or none; the output is that of the player unless it is named.
  case use(String?, output: String?)
  /// Let a level of crossfeed belong to an output, or none; the output is that of the player unless it is named.
  case crossfeed(Crossfeed?, output: String?)
  /// Bypass the equaliser and the crossfeed (`true`), apply them again, or do the opposite of before (`nil`).
  case bypass(Bool?)
  /// Change a profile, or that of the output. If the output has none, a profile of ten bands is created.
  case edit(EqualiserEdit, in: String?)
  /// Create a profile for an output that has none.
  case create(EqualiserProfile, output: String)
  /// Store a profile with the contents of a file.
  case store(String, text: String, replaces: Bool)
  /// Delete a profile, which no output uses afterwards.
  case delete(String)
}

/// A change of a profile of the equaliser. What is `nil` stays as it is.
package enum EqualiserEdit: Codable, Sendable, Equatable {
  /// Change the filter with this number, from 1; the one after the last is added.
  case filter(Int, gain: Double?, frequency: Double?, q: Double?)
  /// Set the gain before the filters; `nil` for the automatic one.
  case preamp(Double?)
  /// Replace the filters, and the gain before them.
  case all(EqualiserProfile)
}

extension Crossfeed? {
  /// The name of the level, or `off`.
  package var name: String { self?.rawValue ?? "off" }
}

/// What the equaliser is set to.
package struct EqualiserReport: Codable, Sendable, Equatable {
  /// The name of the output that plays or will play; `nil` if no player is running.
  package var output: String?
  /// The name of the profile of that output; `nil` if it has none.
  package var chosen: String?
  package var isBypassed: Bool
  /// The levels of crossfeed, by the names of their outputs.
  package var crossfeeds: [String: Crossfeed] = [:]
  /// The names of all profiles, sorted.
  package var profiles: [Profile] = []
  /// The profile that is named, or that of the output; `nil` if there is none.
  package var shown: Shown?

  /// Whether the equaliser is applied, in words; not yet escaped for a terminal.
  package var text: String {
    let applied = [chosen, crossfeed.map { "crossfeed \($0.rawValue)" }].compactMap(\.self).joined(separator: ", ")
    guard !applied.isEmpty else { return "no equalizer\(output.map { " on \($0)" } ?? "")" }
    return isBypassed ? "equalizer bypassed (\(applied))" : chosen == nil ? applied : "equalizer: \(applied)"
  }

  /// The level of crossfeed of ``output``; `nil` if it has none.
  package var crossfeed: Crossfeed? { output.flatMap { crossfeeds[$0] } }

  /// A profile in a listing.
  package struct Profile: Codable, Sendable, Equatable {
    package var name: String
    /// The outputs to which it belongs, sorted.
    package var outputs: [String]
  }

  /// A profile with its contents.
  package struct Shown: Codable, Sendable, Equatable {
    package var name: String
    package var profile: EqualiserProfile
    /// How far filters are from the curve of a graphic equaliser, in dB; `nil` if the file has none.
    package var approximationError: Double?
  }
}
