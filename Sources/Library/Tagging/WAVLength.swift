// SPDX-License-Identifier: GPL-3.0-or-later

/// The length of a WAV file by the size of its sound and its byte rate, which is approximate for compressed sound.
///
/// TagLib believes the number of samples in the `fact` chunk, and that samples have no more bytes than their bits need.
enum WAVLength {
  private static let tolerance = 100

  /// Whether `milliseconds` is not the length of the WAV file; `false` if the file is no WAV file.
  static func isBelied(_ file: inout TagFile, milliseconds: Int) -> Bool {
    guard let length = try? length(of: &file) else { return false }
    return abs(length - milliseconds) > tolerance + length / 50
  }

  /// Returns the length in milliseconds.
  private static func length(of file: inout TagFile) throws(UnusualFileError) -> Int {
    let head = try file.bytes(at: 0, count: 12)
    guard head.holds("RIFF"), head.holds("WAVE", at: 8) else { throw UnusualFileError() }
    let format = try file.chunk("fmt ")
    let byteRate = try file.bytes(at: format.lowerBound, count: 16).littleEndian32(at: 8)
    guard format.count >= 16, byteRate > 0 else { throw UnusualFileError() }
    return try file.chunk("data").count * 1_000 / byteRate
  }
}
