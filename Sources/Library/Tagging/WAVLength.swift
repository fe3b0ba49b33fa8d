// SPDX-License-Identifier: GPL-3.0-or-later

/// The length of a WAV file by the size of its sound and its byte rate, which is approximate for compressed sound.
///
/// TagLib believes the number of samples in the `fact` chunk, and that samples have no more bytes than their bits need.
enum WAVLength {
  private static let chunkLimit = 1_000
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
    var offset = 12
    var byteRate = 0
    for _ in 0..<chunkLimit {
      let header = try file.bytes(at: offset, count: 8)
      let count = header.littleEndian32(at: 4)
      offset += 8
      if header.holds("fmt "), count >= 16 { byteRate = try file.bytes(at: offset, count: 16).littleEndian32(at: 8) }
      if header.holds("data") {
        guard byteRate > 0 else { throw UnusualFileError() }
        return min(count, file.length - offset) * 1_000 / byteRate
      }
      offset += count + count % 2
    }
    throw UnusualFileError()
  }
}
