import CExpat

/// Reads an XML document with expat. Nothing outside of the document is read, and one that declares entities is
/// refused: they are of no use in what is read here, and can grow without bounds.
@safe final class XMLDocument<Reader: XMLElementReader> {
  private let parser: OpaquePointer
  private var reader: Reader

  /// What `reader` is once it was told of the document in these bytes.
  ///
  /// - Parameter encoding: the encoding that counts, whatever the document declares.
  static func read(_ bytes: [UInt8], encoding: String? = nil, into reader: Reader) throws(XMLFault) -> Reader {
    guard let document = XMLDocument(encoding, reader) else {
      throw XMLFault(line: 1, reason: "out of memory", isEncoding: false)
    }
    try document.feed(bytes)
    return document.reader
  }

  private init?(_ encoding: String?, _ reader: Reader) {
    // Names come as "namespace name".
    guard let parser = unsafe XML_ParserCreateNS(encoding, 0x20) else { return nil }
    unsafe self.parser = unsafe parser
    self.reader = reader
  }

  deinit { unsafe XML_ParserFree(parser) }

  private func feed(_ bytes: [UInt8]) throws(XMLFault) {
    let box = unsafe XMLHandlers(
      start: { [unowned self] in reader.start($0, base: $1) },
      characters: { [unowned self] in unsafe reader.characters($0) }, end: { [unowned self] in reader.end() })
    unsafe box.install(in: parser)
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(1 << 20)
      rest = rest.dropFirst(piece.count)
      let status = unsafe piece.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe XML_Parse(parser, start, Int32(buffer.count), rest.isEmpty ? 1 : 0)
      }
      if status != XML_STATUS_OK { throw fault(box) }
    } while !rest.isEmpty
    withExtendedLifetime(box) {}
  }

  private func fault(_ handlers: XMLHandlers) -> XMLFault {
    let code = unsafe XML_GetErrorCode(parser)
    let reason = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
    return XMLFault(
      line: Int(clamping: unsafe XML_GetCurrentLineNumber(parser)),
      reason: handlers.refusal ?? reason ?? "it is no XML", isEncoding: code == XML_ERROR_UNKNOWN_ENCODING)
  }
}
