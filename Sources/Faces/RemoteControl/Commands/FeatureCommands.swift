extension CommandTable {
  /// How a client wants to be answered, feature by feature.
  static let features: [RemoteCommand] = [
    RemoteCommand("protocol", [], arguments: 0...64) { arguments, context throws(ProtocolError) in
      try set(
        &context.client.features, arguments, key: "feature", unknown: "Unknown protocol feature", &context.response)
    },
    RemoteCommand("stringnormalization", [], arguments: 0...64) { arguments, context throws(ProtocolError) in
      try set(
        &context.client.normalizations, arguments, key: "stringnormalization", unknown: "Unknown string normalization",
        &context.response)
    },
  ]

  private static func set<Feature: ClientFeature>(
    _ features: inout Set<Feature>, _ arguments: Arguments, key: String, unknown: String, _ response: inout Response
  ) throws(ProtocolError) {
    var named: Set<Feature> = []
    for name in arguments.dropFirst(1) {
      guard let feature = Feature(rawValue: name.lowercased()) else { throw ProtocolError(.argument, unknown) }
      named.insert(feature)
    }
    switch (arguments.optional(0), named.isEmpty) {
    case (nil, _):
      for feature in Feature.allCases where features.contains(feature) { response.add(key, feature.rawValue) }
    case ("available", true): for feature in Feature.allCases { response.add(key, feature.rawValue) }
    case ("all", true): features = Set(Feature.allCases)
    case ("clear", true): features = []
    case ("enable", false): features.formUnion(named)
    case ("disable", false): features.subtract(named)
    case ("enable", true), ("disable", true): throw ProtocolError(.argument, "Not enough arguments")
    case ("available", false), ("all", false), ("clear", false): throw ProtocolError(.argument, "Too many arguments")
    default: throw ProtocolError(.argument, "Unknown sub command")
    }
  }
}

/// What a client can turn on for itself, by its names in the protocol.
protocol ClientFeature: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// What `protocol` turns on.
enum ProtocolFeature: String, ClientFeature {
  /// `lsinfo` lists no stored playlists along with the library's own directory.
  case hidesPlaylistsInRoot = "hide_playlists_in_root"
}

/// What `stringnormalization` turns on, for what is asked without regard to case.
enum StringNormalization: String, ClientFeature {
  /// Diacritics do not count.
  case stripsDiacritics = "strip_diacritics"
}
