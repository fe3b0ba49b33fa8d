import CUTF8Proc

extension String {
  /// The text without regard to case and compatibility forms, but with its diacritics: what Unicode calls
  /// NFKC_Casefold.
  ///
  /// What folds to a part of what another text folds to is found in it, whatever the case of either.
  public var caseFolded: String {
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
    let options =
      UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
      | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue
    let option = utf8proc_option_t(rawValue: options)
    let bytes = Array(utf8)
    // The longest decomposition of one scalar is 18 scalars.
    var scalars = [Int32](repeating: 0, count: bytes.count * 18)
    var count = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe scalars.withUnsafeMutableBufferPointer { target in
        unsafe utf8proc_decompose(source.baseAddress, source.count, target.baseAddress, target.count, option)
      }
    }
    guard (0...scalars.count).contains(count) else { return self }
    count = unsafe scalars.withUnsafeMutableBufferPointer {
      unsafe utf8proc_normalize_utf32($0.baseAddress, count, option)
    }
    var text = String.UnicodeScalarView()
    for value in scalars.prefix(max(0, count)) {
      if let scalar = Unicode.Scalar(UInt32(bitPattern: value)) { text.append(scalar) }
    }
    return String(text)
  }
}
