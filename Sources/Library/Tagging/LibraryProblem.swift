// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
public import MusicModel
import Platform
public import SystemPackage

/// A file or directory that was left out of the library, and why.
public struct LibraryProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason why a file or directory was left out.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// Audio in a format that cannot be played, with the format's name.
    case unplayableFormat(String)
    /// A file with the name of an audio file that is something else, such as "a web page".
    case notSound(String)
    case empty
    /// A FIFO, a socket or a device with the name of an audio file.
    case notAFile
    /// A file with the name of an audio file that contains no readable audio.
    case noAudio
    /// The operating system returned an error.
    case unreadable(Errno)
    /// An entry of a playlist or of the index that cannot be played, with the reason in words.
    case entry(String)
    /// A cue sheet that is invalid, completely or in part, with the reason in words.
    case cueSheet(String)

    /// The reason in words, without the path, phrased to end a line.
    public var description: String {
      switch self {
      case .unplayableFormat(let format): "\(format) is not supported"
      case .notSound(let format): "not an audio file, but \(format)"
      case .empty: "the file is empty"
      case .notAFile: "not a regular file"
      case .noAudio: "no readable audio"
      case .unreadable(let code): "cannot be read: \(code)"
      case .entry(let text), .cueSheet(let text): text
      }
    }
  }

  /// The file or directory.
  public var path: FilePath
  /// The reason why the file or directory was left out.
  public var reason: Reason

  /// Creates a problem with the file or directory at `path`.
  public init(path: FilePath, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The path and the reason. They are not yet escaped for a terminal.
  public var description: String { "\(path.shown): \(reason)" }
}

extension FileChange: CustomStringConvertible {
  /// The kind of change and the path, on one line. It is not yet escaped for a terminal.
  public var description: String {
    switch kind {
    case .added: "added \(path.shown)"
    case .changed: "changed \(path.shown)"
    case .moved(let former): "moved \(path.shown) (was \(former.shown))"
    case .missing: "removed \(path.shown)"
    case .rejected(let reason): "skipped \(path.shown): \(reason)"
    case .leftOut: "ignored \(path.shown)"
    }
  }
}

/// The kind of a file according to the suffix of its name.
public enum AudioFileKind: Sendable, Hashable {
  /// Audio in a format that can be played.
  case playable
  /// Audio in a format that cannot be played, with the common name of the format.
  case unplayable(format: String)

  /// Creates the kind of the file at `path` from its suffix, in upper or lower case. Returns `nil` if the suffix is not
  /// that of an audio format.
  public init?(_ path: FilePath) {
    guard let suffix = path.suffix, let format = AudioFileFormat(suffix: suffix) else { return nil }
    self = format.isPlayable ? .playable : .unplayable(format: format.name)
  }
}
