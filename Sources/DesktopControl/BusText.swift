import Platform
import SystemPackage

extension String {
  /// The longest text that is told, in Unicode scalars.
  private static var busLimit: Int { 4096 }

  /// The text as the bus takes it, and not too long: NUL and noncharacters, for which sd-bus refuses the whole message,
  /// are replaced.
  var onBus: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(Self.busLimit).map { $0.isOnBus ? $0 : "\u{FFFD}" })
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var isOnBus: Bool {
    value != 0 && value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(value)
  }
}

extension FilePath {
  /// The path as a `file:` URI (RFC 8089): every byte is escaped but slashes and what never needs it.
  var fileURL: String {
    var text = "file://"
    for byte in systemBytes {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": text.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }
}
