/// Why an XML document could not be read to its end.
struct XMLFault: Error, Hashable {
  /// The line, from 1.
  let line: Int
  /// What is wrong, as the end of a line.
  let reason: String
  /// Whether the encoding that it declares is not known.
  let isEncoding: Bool
}
