import CIconv
import SystemPackage

/// A conversion of the system's iconv(3) into UTF-8. One thread at a time.
@safe struct TextConversion: ~Copyable {
  private let handle: UnsafeMutableRawPointer

  /// A conversion from the encoding of this name; `nil` where the system does not know it.
  init?(from encoding: String) {
    guard let handle = unsafe segue_iconv_open("UTF-8", encoding) else { return nil }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe segue_iconv_close(handle) }

  /// The text of these bytes, which begin a text; `nil` where some are not valid in the encoding, or the last are half
  /// a character.
  func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let start = bytes.baseAddress else { return "" }
    var converted: [UInt8] = []
    converted.reserveCapacity(bytes.count + bytes.count / 2)
    let piece = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 1 << 15)
    defer { unsafe piece.deallocate() }
    var input: UnsafePointer<CChar>? = unsafe UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    var inputLeft = bytes.count
    while inputLeft > 0 {
      var output = piece.baseAddress
      var outputLeft = piece.count
      let result = unsafe segue_iconv(handle, &input, &inputLeft, &output, &outputLeft)
      let code = lastErrorNumber()
      let count = piece.count - outputLeft
      unsafe converted.append(contentsOf: UnsafeRawBufferPointer(piece).prefix(count))
      // Stopped since the piece is full; whatever else stops it says that these bytes are no such text.
      if result == -1, count == 0 || Errno(rawValue: code) != .argListTooLong { return nil }
    }
    return String(decoding: converted, as: UTF8.self)
  }
}
