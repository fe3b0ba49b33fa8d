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
