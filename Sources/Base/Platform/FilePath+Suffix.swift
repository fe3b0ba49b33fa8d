public import SystemPackage

extension FilePath {
  /// What is behind the last full stop of the last name, as `extension` has it, which takes many times as long; `nil`
  /// where there is none.
  public var suffix: String? {
    let length = length
    return unsafe withPlatformString { start in
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
      var place = length
      while place > 0, unsafe bytes[place - 1] != UInt8(ascii: ".") {
        if unsafe bytes[place - 1] == UInt8(ascii: "/") { return nil }
        place -= 1
      }
      // A name that begins with its only full stop has no suffix.
      guard place > 1, unsafe bytes[place - 2] != UInt8(ascii: "/") else { return nil }
      if unsafe place == length && bytes[place - 2] == UInt8(ascii: ".") {
        // What is above has no name.
        if unsafe place == 2 || bytes[place - 3] == UInt8(ascii: "/") { return nil }
      }
      return unsafe String(decoding: bytes[place...], as: UTF8.self)
    }
  }
}
