// SPDX-License-Identifier: GPL-3.0-or-later

/// The filters of a parametric equaliser, with the gain before them.
public struct EqualiserProfile: Sendable, Hashable, Codable {
  /// The maximum number of filters.
  public static let filterLimit = 64
  /// The possible gains before the filters, in dB.
  public static let preamps = -60.0...30.0

  /// The gain before the filters, in dB; `nil` for one that puts the highest point of the curve at 0 dB, so that
  /// nothing clips.
  public var preamp: Double?
  /// The filters, in their order: at most ``filterLimit``.
  public var filters: [EqualiserFilter]

  /// Creates a profile; filters beyond ``filterLimit`` are left out.
  public init(preamp: Double? = nil, filters: [EqualiserFilter] = []) {
    self.preamp = preamp.map { min(max($0, Self.preamps.lowerBound), Self.preamps.upperBound) }
    self.filters = Array(filters.prefix(Self.filterLimit))
  }

  /// A profile of ten octave bands, all at 0 dB, to be edited.
  public static let tenBands = EqualiserProfile(
    filters: [31.25, 62.5, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000].map {
      EqualiserFilter(.peak, $0, gain: 0, .q(1.41))
    })
}

/// A filter of an equaliser: a biquad, as in the Audio EQ Cookbook of Robert Bristow-Johnson.
public struct EqualiserFilter: Sendable, Hashable, BitwiseCopyable {
  /// The kind of filter, by its name in files.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, BitwiseCopyable {
    case peak = "PK"
    case lowShelf = "LSC"
    case highShelf = "HSC"
    case lowPass = "LPQ"
    case highPass = "HPQ"
    case notch = "NO"
    case bandPass = "BP"
    case allPass = "AP"

    /// Whether filters of this kind have a gain.
    public var hasGain: Bool {
      switch self {
      case .peak, .lowShelf, .highShelf: true
      case .lowPass, .highPass, .notch, .bandPass, .allPass: false
      }
    }
  }

  /// The width of the filter.
  public enum Width: Sendable, Hashable, BitwiseCopyable {
    case q(Double)
    /// The bandwidth in octaves, between the points at half of the gain in dB.
    case octaves(Double)
  }

  /// The possible frequencies, in Hz.
  public static let frequencies = 1.0...100_000.0
  /// The possible gains, in dB.
  public static let gains = -30.0...30.0
  /// The possible qualities.
  public static let qualities = 0.05...100.0
  /// The possible bandwidths, in octaves.
  public static let bandwidths = 0.01...10.0

  public var kind: Kind
  /// The frequency of the centre or, for shelves, of half of the gain, in Hz.
  public var frequency: Double
  /// The gain in dB; 0 if the kind has none.
  public var gain: Double
  public var width: Width

  /// Creates a filter. Values out of range are limited; those that are no numbers become the lowest.
  public init(_ kind: Kind, _ frequency: Double, gain: Double = 0, _ width: Width) {
    self.kind = kind
    self.frequency = Self.limited(frequency, to: Self.frequencies)
    self.gain = kind.hasGain && gain.isFinite ? Self.limited(gain, to: Self.gains) : 0
    self.width =
      switch width {
      case .q(let q): .q(Self.limited(q, to: Self.qualities))
      case .octaves(let octaves): .octaves(Self.limited(octaves, to: Self.bandwidths))
      }
  }

  private static func limited(_ value: Double, to range: ClosedRange<Double>) -> Double {
    value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
  }
}

/// In JSON, a filter has either `q` or `octaves`, and a `gain` if its kind has one.
extension EqualiserFilter: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, frequency, gain, q, octaves
  }

  /// Decodes a filter, whose values are limited, since it may come from another process.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let octaves = try values.decodeIfPresent(Double.self, forKey: .octaves)
    self.init(
      try values.decode(Kind.self, forKey: .kind), try values.decode(Double.self, forKey: .frequency),
      gain: try values.decodeIfPresent(Double.self, forKey: .gain) ?? 0,
      try octaves.map { .octaves($0) } ?? .q(try values.decode(Double.self, forKey: .q)))
  }

  /// Encodes the filter.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(frequency, forKey: .frequency)
    if kind.hasGain { try values.encode(gain, forKey: .gain) }
    switch width {
    case .q(let q): try values.encode(q, forKey: .q)
    case .octaves(let octaves): try values.encode(octaves, forKey: .octaves)
    }
  }
}

extension EqualiserProfile {
  private enum CodingKeys: String, CodingKey {
    case preamp, filters
  }

  /// Decodes a profile, whose values are limited, since it may come from another process.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      preamp: try values.decodeIfPresent(Double.self, forKey: .preamp),
      filters: try values.decode([EqualiserFilter].self, forKey: .filters))
  }
}
