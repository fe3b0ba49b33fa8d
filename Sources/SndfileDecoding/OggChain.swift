import SystemPackage

/// Whether other streams follow the end of the first one in an Ogg file (RFC 3533, section 4: chaining).
enum OggChain {
  /// Reads no more than the first pages, which begin at `start`, and the end of the file.
  static func isChained(_ descriptor: FileDescriptor, from start: Int64, size: Int64) -> Bool {
    var bytes = ByteWindow(descriptor)
    var first: Set<UInt32> = []
    var place = start
    // The streams that play together begin together.
    while first.count < 16, let page = OggPage(&bytes, at: place), page.isBeginning {
      first.insert(page.serial)
      place += page.length
    }
    guard !first.isEmpty else { return false }
    let endStart = max(place, size - Int64(OggPage.maximumLength))
    let end = bytes.read(at: endStart, count: OggPage.maximumLength)
    guard let last = lastPage(in: end) else { return false }
    return !first.contains(last.serial)
  }

  private static func lastPage(in bytes: ArraySlice<UInt8>) -> OggPage? {
    for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "O") {
      if let page = OggPage(bytes[index...]) { return page }
    }
    return nil
  }
}
