// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// Reads an XML document with expat, but nothing outside of it. A document that declares entities is rejected, because
/// entities are not needed here and could expand without bounds.
@safe final class XMLDocument<Reader: XMLElementReader> {
  private let parser: OpaquePointer
  private var reader: Reader

  /// Parses a document, passing its elements to `reader`, and returns the reader.
  ///
  /// - Parameter encoding: The encoding to use, regardless of what the document declares.
  static func read(_ bytes: [UInt8], encoding: String? = nil, into reader: Reader) throws(XMLError) -> Reader {
    guard let document = XMLDocument(encoding, reader) else {
      throw XMLError(line: 1, reason: "out of memory", isEncoding: false)
    }
    try document.feed(bytes)
    return document.reader
  }

  private init?(_ encoding: String?, _ reader: Reader) {
    // Expat then reports names as "namespace name".
    guard let parser = unsafe XML_ParserCreateNS(encoding, 0x20) else { return nil }
    unsafe self.parser = unsafe parser
    self.reader = reader
  }

  deinit { unsafe XML_ParserFree(parser) }

  private func feed(_ bytes: [UInt8]) throws(XMLError) {
    let callbacks = unsafe ExpatCallbacks(
      start: { [unowned self] in reader.start($0, base: $1, at: place) },
      characters: { [unowned self] in unsafe reader.characters($0) },
      end: { [unowned self] in reader.end(at: place) })
    unsafe callbacks.install(in: parser)
    var rest = bytes[...]
    repeat {
      let chunk = rest.prefix(1 << 20)
      rest = rest.dropFirst(chunk.count)
      let status = unsafe chunk.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe XML_Parse(parser, start, Int32(buffer.count), rest.isEmpty ? 1 : 0)
      }
      if status != XML_STATUS_OK { throw error(callbacks) }
    } while !rest.isEmpty
    withExtendedLifetime(callbacks) {}
  }

  /// The place of the tag that is being handled; empty for the end of an element that is a single tag.
  private var place: Range<Int> {
    let start = unsafe Int(clamping: XML_GetCurrentByteIndex(parser))
    return start..<start + max(0, unsafe Int(clamping: XML_GetCurrentByteCount(parser)))
  }

  private func error(_ callbacks: ExpatCallbacks) -> XMLError {
    let code = unsafe XML_GetErrorCode(parser)
    let reason = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) }
    return XMLError(
      line: Int(clamping: unsafe XML_GetCurrentLineNumber(parser)),
      reason: callbacks.stopReason ?? reason ?? "it is not XML", isEncoding: code == XML_ERROR_UNKNOWN_ENCODING)
  }
}

/// Receives the elements of an XML document, one after another.
protocol XMLElementReader {
  /// Handles the start of an element, whose tag is at the byte offsets `place`. `name` is without its namespace, and
  /// `base` is the value of `xml:base`, if there is one. Returns a reason to stop, or `nil` to continue.
  mutating func start(_ name: String, base: [UInt8]?, at place: Range<Int>) -> String?
  /// Handles text in the open element. The text may come in several pieces.
  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>)
  /// Handles the end of the element that was started last. Its tag is at the byte offsets `place`; the range is empty
  /// if the element is a single tag, which ends there.
  mutating func end(at place: Range<Int>)
}

struct XMLError: Error, Hashable {
  /// The line number, counted from 1.
  let line: Int
  /// The problem in words, phrased to end a line.
  let reason: String
  /// Whether the error is that the declared encoding is unknown.
  let isEncoding: Bool
}

/// The callbacks for expat, which forward to Swift closures.
@safe final class ExpatCallbacks {
  private static let baseName = "http://www.w3.org/XML/1998/namespace base"

  private let start: (String, [UInt8]?) -> String?
  private let characters: (UnsafeBufferPointer<UInt8>) -> Void
  private let end: () -> Void
  private var parser: OpaquePointer?
  /// The reason why these callbacks stopped the parser; `nil` if they did not.
  private(set) var stopReason: String?

  /// Creates the callbacks. `start` returns a reason to stop, or `nil` to continue.
  init(
    start: @escaping (String, [UInt8]?) -> String?,
    characters: @escaping (UnsafeBufferPointer<UInt8>) -> Void,
    end: @escaping () -> Void
  ) {
    self.start = start
    unsafe self.characters = unsafe characters
    self.end = end
  }

  /// Installs the callbacks in `parser`, which does not retain them. They must exist for as long as it parses.
  func install(in parser: OpaquePointer) {
    unsafe self.parser = unsafe parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser, { unsafe ExpatCallbacks.of($0)?.elementStarts($1, $2) },
      { context, _ in unsafe ExpatCallbacks.of(context)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { unsafe ExpatCallbacks.of($0)?.text($1, $2) }
    unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      unsafe ExpatCallbacks.of(context)?.stop("it declares entities")
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> ExpatCallbacks? {
    unsafe context.map { unsafe Unmanaged<ExpatCallbacks>.fromOpaque($0).takeUnretainedValue() }
  }

  private func elementStarts(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard stopReason == nil, let name = unsafe name else { return }
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
    guard stopReason == nil, let bytes = unsafe bytes else { return }
    let raw = unsafe UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
    unsafe characters(UnsafeBufferPointer(start: raw, count: Int(count)))
  }

  private func stop(_ reason: String) {
    if stopReason == nil { stopReason = reason }
    unsafe XML_StopParser(parser, 0)
  }
}
