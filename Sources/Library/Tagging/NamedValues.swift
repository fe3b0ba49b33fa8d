// SPDX-License-Identifier: GPL-3.0-or-later

/// Fields that a reader of a container collects: names in upper case, each with its values in their order.
///
/// Names, values and their total length are bounded, since they come from strangers.
struct NamedValues: Equatable {
  /// The maximum length of a name in bytes.
  static let nameLimit = 128
  /// The maximum length of a value in bytes, as for TagLib's values.
  static let valueLimit = 64 * 1024
  /// The maximum length of all names and values in bytes.
  private static let totalLimit = 1 << 20

  private(set) var fields: [(name: String, values: [String])] = []
  private var indexes: [String: Int] = [:]
  private var total = 0

  /// Adds a value after the others of its name. What exceeds a limit, or is empty, is left out.
  mutating func append(_ value: String, to name: String) {
    let length = name.utf8.count + value.utf8.count
    guard !value.isEmpty, (1...Self.nameLimit).contains(name.utf8.count), value.utf8.count <= Self.valueLimit,
      total + length <= Self.totalLimit
    else { return }
    total += length
    if let index = indexes[name] {
      fields[index].values.append(value)
    } else {
      indexes[name] = fields.count
      fields.append((name, [value]))
    }
  }

  static func == (left: NamedValues, right: NamedValues) -> Bool {
    left.fields.elementsEqual(right.fields) { $0 == $1 }
  }

  /// Returns TagLib's name for a field to which taggers give a name of their own, whatever its case and punctuation:
  /// "replaygain_track_gain", "MusicBrainz Album Id", "MusicBrainz/Album Id".
  static func taggersName(_ name: String) -> String {
    let upper = name.uppercased()
    let words = upper.split { !($0.isLetter || $0.isNumber) }
    switch words.first {
    case "MUSICBRAINZ":
      let rest = words.dropFirst().joined()
      return ofReleases[rest] ?? "MUSICBRAINZ_\(rest)"
    case "REPLAYGAIN", "R128", "ACOUSTID": return words.joined(separator: "_")
    default: return upper
    }
  }

  /// TagLib's names for what taggers store of a release under "MusicBrainz Album ...".
  private static let ofReleases = [
    "ALBUMRELEASECOUNTRY": "RELEASECOUNTRY", "ALBUMSTATUS": "RELEASESTATUS", "ALBUMTYPE": "RELEASETYPE",
  ]
}
