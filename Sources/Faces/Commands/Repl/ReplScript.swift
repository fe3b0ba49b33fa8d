// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerPort
import Screens
import SystemPackage

/// A script for the REPL, and the progress of its execution.
struct ReplScript {
  private var reader = ScriptReader()
  /// The number of lines that have been read.
  private(set) var number = 0
  /// Whether any line of the input has failed.
  var hasFailed = false
  /// The last line, if it must be executed again; otherwise `nil`.
  var pending: ScriptReader.Line?

  /// Returns the next line; `nil` after the last one.
  ///
  /// - Throws: `PlayerError` if the script cannot be read.
  mutating func next() throws(PlayerError) -> ScriptReader.Line? {
    if let line = pending.take() { return line }
    number += 1
    do {
      return try reader.next()
    } catch {
      throw PlayerError(.failure, "cannot read the script: \(error); pipe it in, or redirect a file")
    }
  }
}

/// Reads the lines of a script.
struct ScriptReader {
  /// A line of a script.
  enum Line: Equatable {
    /// The text without the line break. Invalid UTF-8 is replaced.
    case text(String)
    /// A line that exceeds the maximum length, and was skipped.
    case tooLong
  }

  /// The maximum length of a line in bytes.
  static let lineLimit = 1 << 16

  private let input: FileDescriptor
  private var buffer: [UInt8] = []
  private var isSkipping = false
  private var isAtEnd = false

  /// Creates a reader of `input`.
  init(_ input: FileDescriptor = StandardStream.input.descriptor) { self.input = input }

  /// Returns the next line; `nil` after the last one, or if a signal interrupted reading.
  ///
  /// - Throws: `Errno` if the script cannot be read.
  mutating func next() throws(Errno) -> Line? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return finish(buffer[..<end])
      }
      if isAtEnd {
        defer { buffer = [] }
        return buffer.isEmpty && !isSkipping ? nil : finish(buffer[...])
      }
      if buffer.count > Self.lineLimit {
        buffer = []
        isSkipping = true
      }
      do throws(Errno) {
        try fill()
      } catch {
        // Do not execute a line that is incomplete.
        (buffer, isSkipping, isAtEnd) = ([], false, true)
        if error != .interrupted { throw error }
      }
    }
  }

  private mutating func finish(_ bytes: ArraySlice<UInt8>) -> Line {
    defer { isSkipping = false }
    if isSkipping || bytes.count > Self.lineLimit { return .tooLong }
    return .text(String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self))
  }

  private mutating func fill() throws(Errno) {
    do {
      let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = try unsafe input.read(into: UnsafeMutableRawBufferPointer(buffer), retryOnInterrupt: false)
      }
      buffer += chunk
      isAtEnd = chunk.isEmpty
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }
}
