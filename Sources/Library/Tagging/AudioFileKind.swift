// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
import Platform
public import SystemPackage

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
