// SPDX-License-Identifier: GPL-3.0-or-later

/// Reading MPEG audio of layer III, after an ID3v2 tag if there is one.
extension FastTags {
  mutating func readMPEG(_ file: inout TagFile) throws(UnusualTags) {
    var start = 0
    if try file.bytes(at: 0, count: 3).holds("ID3") { start = try readID3v2(of: &file, at: 0) }
    let head = try file.bytes(at: start, count: 4)
    guard let frame = MPEGFrame(head) else { throw UnusualTags() }
    let bytes = try file.bytes(at: start, count: frame.length + 4)
    guard MPEGFrame.areOfOneStream(head, bytes.from(frame.length)),
      let stated = MPEGFrame.Statement(bytes.prefix(frame.length)),
      !stated.isTooLittle(file.length - start)
    else { throw UnusualTags() }
    let length = Double(frame.samples) * 1000 / Double(frame.sampleRate) * Double(stated.frames) + 0.5
    guard length < 2e9 else { throw UnusualTags() }
    milliseconds = Int(length)
    sampleRate = frame.sampleRate
    channels = frame.channels
    guard try !hasTagAtEnd(of: &file, isOnlyTag: start == 0) else { throw UnusualTags() }
  }

  /// Whether the file ends with an APE tag, or with an ID3v1 tag that counts because there is no other tag.
  private func hasTagAtEnd(of file: inout TagFile, isOnlyTag: Bool) throws(UnusualTags) -> Bool {
    let reach = 160
    let bytes = try file.bytes(at: file.length - reach, count: reach)
    return bytes.holds("APETAGEX") || bytes.holds("APETAGEX", at: reach - 32)
      || isOnlyTag && bytes.holds("TAG", at: reach - 128)
  }
}
