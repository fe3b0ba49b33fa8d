import CExpat

/// Reads an XML document with expat. Nothing outside of the document is read, and one that declares entities is
/// refused: they are of no use in what is read here, and can grow without bounds.
@safe final class XMLDocument<Reader: XMLElementReader> {
  private let parser: OpaquePointer
  private var reader: Reader

  /// What `reader` is once it was told of the document in these bytes.
  ///
  /// - Parameter encoding: the encoding that counts, whatever the document declares.
  static func read(_ bytes: [UInt8], encoding: String? = nil, into reader: Reader) throws(XMLError) -> Reader {
    guard let document = XMLDocument(encoding, reader) else {
      throw XMLError(line: 1, reason: "out of memory", isEncoding: false)
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

  private func feed(_ bytes: [UInt8]) throws(XMLError) {
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
      if status != XML_STATUS_OK { throw error(box) }
    } while !rest.isEmpty
    withExtendedLifetime(box) {}
  }

  private func error(_ handlers: XMLHandlers) -> XMLError {
    let code = unsafe XML_GetErrorCode(parser)
    let reason = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
    return XMLError(
      line: Int(clamping: unsafe XML_GetCurrentLineNumber(parser)),
      reason: handlers.refusal ?? reason ?? "it is no XML", isEncoding: code == XML_ERROR_UNKNOWN_ENCODING)
  }
}

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

/// Why an XML document could not be read to its end.
struct XMLError: Error, Hashable {
  /// The line, from 1.
  let line: Int
  /// What is wrong, as the end of a line.
  let reason: String
  /// Whether the encoding that it declares is not known.
  let isEncoding: Bool
}

/// What expat calls, as functions on Swift values.
@safe final class XMLHandlers {
  private static let baseName = "http://www.w3.org/XML/1998/namespace base"

  private let start: (String, [UInt8]?) -> String?
  private let characters: (UnsafeBufferPointer<UInt8>) -> Void
  private let end: () -> Void
  private var parser: OpaquePointer?
  /// Why these ended the document, where they did.
  private(set) var refusal: String?

  /// Handlers of these functions; `start` gives why to end, or `nil`.
  init(
    start: @escaping (String, [UInt8]?) -> String?,
    characters: @escaping (UnsafeBufferPointer<UInt8>) -> Void,
    end: @escaping () -> Void
  ) {
    self.start = start
    unsafe self.characters = unsafe characters
    self.end = end
  }

  /// Has the parser call these, which have to live as long as it parses.
  func install(in parser: OpaquePointer) {
    unsafe self.parser = unsafe parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser, { unsafe XMLHandlers.of($0)?.elementStarts($1, $2) },
      { context, _ in unsafe XMLHandlers.of(context)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { unsafe XMLHandlers.of($0)?.text($1, $2) }
    unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      unsafe XMLHandlers.of(context)?.stop("it declares entities")
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLHandlers? {
    unsafe context.map { unsafe Unmanaged<XMLHandlers>.fromOpaque($0).takeUnretainedValue() }
  }

  private func elementStarts(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard refusal == nil, let name = unsafe name else { return }
    var base: [UInt8]?
    if var next = unsafe attributes {
      while let key = unsafe next.pointee, let value = unsafe next.successor().pointee {
        if unsafe String(cString: key) == Self.baseName { base = unsafe Array(String(cString: value).utf8) }
        unsafe next += 2
      }
    }
    let full = unsafe String(cString: name)
    let local = full.lastIndex(of: " ").map { String(full[full.index(after: $0)...]) } ?? full
    if let reason = start(local, base) { stop(reason) }
  }

  private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int32) {
    guard refusal == nil, let bytes = unsafe bytes else { return }
    let raw = unsafe UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
    unsafe characters(UnsafeBufferPointer(start: raw, count: Int(count)))
  }

  private func stop(_ reason: String) {
    if refusal == nil { refusal = reason }
    unsafe XML_StopParser(parser, 0)
  }
}
