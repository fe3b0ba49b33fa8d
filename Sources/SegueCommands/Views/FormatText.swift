import QueueFlow
import UnicodeText

/// Formats, and what becomes of the samples on their way, in words.
enum FormatText {
  /// "16 bits, 44100 Hz, stereo".
  static func text(_ format: PlayerStatus.Format) -> String {
    let channels =
      format.channels == 1 ? "mono" : format.channels == 2 ? "stereo" : "\(format.channels) channels"
    return "\(format.bits.map { "\($0) bits" } ?? "lossy"), \(format.sampleRate) Hz, \(channels)"
  }

  /// Whether the output is given the very samples of the file, and why not where it is not.
  static func path(_ deviations: [String]) -> String {
    deviations.isEmpty
      ? "bit-perfect"
      : "not bit-perfect: " + deviations.map(\.safeForTerminal).joined(separator: "; ")
  }
}
