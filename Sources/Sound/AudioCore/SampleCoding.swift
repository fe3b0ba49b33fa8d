/// How a source keeps its samples.
public enum SampleCoding: Sendable, Hashable, BitwiseCopyable {
  /// As integers of so many bits.
  case integer(bits: Int)
  /// As floating-point numbers of so many bits.
  case float(bits: Int)
  /// Not at all: what is decoded only sounds like what was encoded.
  case lossy

  /// The bits of an integer that float samples carry unchanged.
  public static let carriedBits = SampleDepth.bits24.rawValue

  /// Bits a sample, or `nil` where there are none to count.
  public var bits: Int? {
    switch self {
    case .integer(let bits), .float(let bits): bits
    case .lossy: nil
    }
  }

  /// Whether samples are floating-point numbers.
  public var isFloat: Bool {
    switch self {
    case .float: true
    case .integer, .lossy: false
    }
  }

  /// The least depth that takes all that float samples carry of it, or `nil` where the coding is lossy.
  public var depth: SampleDepth? {
    switch self {
    case .integer(let bits): bits <= SampleDepth.bits16.rawValue ? .bits16 : .bits24
    case .float: .bits24
    case .lossy: nil
    }
  }
}
