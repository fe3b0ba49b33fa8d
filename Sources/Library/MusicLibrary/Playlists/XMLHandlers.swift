import CExpat

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
