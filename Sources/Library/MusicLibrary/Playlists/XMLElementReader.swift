/// What is told of the elements of an XML document, one after the other.
protocol XMLElementReader {
  /// An element begins; its name is without the namespace, and `base` its `xml:base`. Gives why to end here, or `nil`
  /// to go on.
  mutating func start(_ name: String, base: [UInt8]?) -> String?
  /// Text of the element that is open; one text may come in pieces.
  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>)
  /// The element that began last ends.
  mutating func end()
}
