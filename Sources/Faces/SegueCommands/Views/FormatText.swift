import QueueFlow
import UnicodeText

/// Formats, and what becomes of the samples on their way, in words.
enum FormatText {
  /// "16 bits, 44100 Hz, stereo"; "32-bit float" or "lossy" instead of bits, where samples are so.
  static func text(_ format: PlayerStatus.Format) -> String {
    let channels =
      format.channels == 1 ? "mono" : format.channels == 2 ? "stereo" : "\(format.channels) channels"
    let isFloat = format.isFloat ?? false
    let samples = format.bits.map { isFloat ? "\($0)-bit float" : "\($0) bits" } ?? "lossy"
    return "\(samples), \(format.sampleRate) Hz, \(channels)"
  }

  /// Whether the output is given the very samples of the file, and why not where it is not.
  static func path(_ deviations: [String]) -> String {
    deviations.isEmpty
      ? "bit-perfect"
      : "not bit-perfect: " + deviations.map(\.safeForTerminal).joined(separator: "; ")
  }
}
