// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes profiles in the syntax that ``EqualiserReader`` reads, and other programs too.
public enum EqualiserWriter {
  /// Returns the text of a profile. The comments, the filters that are off and the lines that are not understood in the
  /// earlier text come first.
  public static func text(_ profile: EqualiserProfile, replacing earlier: String = "") -> String {
    var lines = earlier.split { $0.isNewline }.filter(isKept).map(String.init)
    if let preamp = profile.preamp { lines.append("Preamp: \(number(preamp)) dB") }
    for (index, filter) in profile.filters.enumerated() {
      let gain = filter.kind.hasGain ? " Gain \(number(filter.gain)) dB" : ""
      lines.append(
        "Filter \(index + 1): ON \(filter.kind.rawValue) Fc \(number(filter.frequency)) Hz\(gain) \(filter.width.text)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func isKept(_ line: Substring) -> Bool {
    do throws(EqualiserProblem) {
      switch try EqualiserLine(line) {
      case .nothing, .someChannels: return true
      case .preamp, .allChannels, .filter, .curve: return false
      }
    } catch { return true }
  }

  /// Returns a number without a fraction that is zero.
  public static func number(_ value: Double) -> String {
    let rounded = (value * 1e6).rounded() / 1e6
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}

extension EqualiserFilter.Width {
  /// The width as files have it, such as "Q 1.41".
  public var text: String {
    switch self {
    case .q(let q): "Q \(EqualiserWriter.number(q))"
    case .octaves(let octaves): "BW Oct \(EqualiserWriter.number(octaves))"
    }
  }
}
