// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads MPEG audio of layer III, after an ID3v2 tag if there is one.
extension FastTags {
  mutating func readMPEG(_ file: inout TagFile) throws(UnusualFileError) {
    var start = 0
    if try file.bytes(at: 0, count: 3).holds("ID3") { start = try readID3v2(of: &file, at: 0) }
    let head = try file.bytes(at: start, count: 4)
    guard let frame = MPEGFrame(head) else { throw UnusualFileError() }
    let bytes = try file.bytes(at: start, count: frame.length + 4)
    guard MPEGFrame.areOfOneStream(head, bytes.from(frame.length)),
      let xing = MPEGFrame.XingHeader(bytes.prefix(frame.length)),
      !xing.isContinued(&file, at: start)
    else { throw UnusualFileError() }
    let length = Double(frame.samples) * 1000 / Double(frame.sampleRate) * Double(xing.frames) + 0.5
    guard length < 2e9 else { throw UnusualFileError() }
    milliseconds = Int(length)
    sampleRate = frame.sampleRate
    channels = frame.channels
    guard try !hasTagAtEnd(of: &file, isOnlyTag: start == 0) else { throw UnusualFileError() }
  }

  /// Whether the file ends with an APE tag, or with an ID3v1 tag that is used because there is no other tag.
  private func hasTagAtEnd(of file: inout TagFile, isOnlyTag: Bool) throws(UnusualFileError) -> Bool {
    let tailLength = 160
    let bytes = try file.bytes(at: file.length - tailLength, count: tailLength)
    return bytes.holds("APETAGEX") || bytes.holds("APETAGEX", at: tailLength - 32)
      || isOnlyTag && bytes.holds("TAG", at: tailLength - 128)
  }
}
