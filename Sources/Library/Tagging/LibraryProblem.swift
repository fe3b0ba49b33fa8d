// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// A file or directory that was left out of the library, and why.
public struct LibraryProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why it was left out.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// Audio in a format that cannot be played, by the format's name.
    case unplayableFormat(String)
    /// A file named as audio that is something else, such as "a web page".
    case notSound(String)
    /// A file of 0 bytes.
    case empty
    /// A FIFO, a socket or a device under the name of an audio file.
    case notAFile
    /// A file named as audio that holds none that can be read.
    case noAudio
    /// The operating system refused.
    case unreadable(Errno)
    /// An entry of a playlist that cannot be played, in words.
    case entry(String)
    /// A cue sheet that makes no sense, or a part of it, in words.
    case cueSheet(String)

    /// The reason in words, without the path, as the end of a line.
    public var description: String {
      switch self {
      case .unplayableFormat(let format): "\(format) is not supported"
      case .notSound(let format): "not an audio file, but \(format)"
      case .empty: "the file is empty"
      case .notAFile: "not a regular file"
      case .noAudio: "no readable audio"
      case .unreadable(let code): "cannot be read: \(code)"
      case .entry(let fault), .cueSheet(let fault): fault
      }
    }
  }

  /// The file or directory.
  public var path: FilePath
  /// Why it was left out.
  public var reason: Reason

  /// The problem `reason` with `path`.
  public init(path: FilePath, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The path and the reason; not yet safe for a terminal.
  public var description: String { "\(path.shown): \(reason)" }
}
