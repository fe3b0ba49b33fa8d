import Platform
import Screens
import SystemPackage

/// A script for the REPL, and how far it is obeyed.
struct ReplScript {
  private var reader = ScriptReader()
  /// How many lines of it were taken.
  private(set) var number = 0
  /// Whether one has failed.
  var hasFailed = false
  /// The line that was taken last, where it is to be taken again.
  var pending: ScriptReader.Line?

  /// The next line; `nil` behind the last.
  ///
  /// - Throws: `CommandError` where it cannot be read.
  mutating func next() throws(CommandError) -> ScriptReader.Line? {
    if let line = pending.take() { return line }
    number += 1
    do {
      return try reader.next()
    } catch {
      throw CommandError(.failure, "the script cannot be read: \(error); pipe it in, or redirect a file")
    }
  }
}

/// Reads the lines of a script.
struct ScriptReader {
  /// A line of a script.
  enum Line: Equatable {
    /// What it holds, without its end. Bytes that are no UTF-8 are replaced.
    case text(String)
    /// It was passed over: no command is so long.
    case tooLong
  }

  /// The most bytes that a line may have.
  static let lineLimit = 1 << 16

  private let input: FileDescriptor
  private var buffer: [UInt8] = []
  private var isPassingOver = false
  private var isAtEnd = false

  /// A reader of what `input` gives.
  init(_ input: FileDescriptor = StandardStream.input.descriptor) { self.input = input }

  /// The next line; `nil` behind the last, or where a signal came.
  ///
  /// - Throws: `Errno` where the script cannot be read.
  mutating func next() throws(Errno) -> Line? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return finish(buffer[..<end])
      }
      if isAtEnd {
        defer { buffer = [] }
        return buffer.isEmpty && !isPassingOver ? nil : finish(buffer[...])
      }
      if buffer.count > Self.lineLimit {
        buffer = []
        isPassingOver = true
      }
      do throws(Errno) {
        try fill()
      } catch {
        // What is incomplete is not obeyed.
        (buffer, isPassingOver, isAtEnd) = ([], false, true)
        if error != .interrupted { throw error }
      }
    }
  }

  private mutating func finish(_ bytes: ArraySlice<UInt8>) -> Line {
    defer { isPassingOver = false }
    if isPassingOver || bytes.count > Self.lineLimit { return .tooLong }
    return .text(String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self))
  }

  private mutating func fill() throws(Errno) {
    do {
      let piece = try unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = try unsafe input.read(into: UnsafeMutableRawBufferPointer(buffer), retryOnInterrupt: false)
      }
      buffer += piece
      isAtEnd = piece.isEmpty
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }
}
