// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
import Platform
public import SystemPackage

/// What the suffix of a file's name promises.
public enum AudioFileKind: Sendable, Hashable {
  /// Audio in a format that can be played.
  case playable
  /// Audio in a format that cannot be played, by the name that people know it by.
  case unplayable(format: String)

  /// The kind of the file at `path` by its suffix, in any case; `nil` for what is not known as audio.
  public init?(_ path: FilePath) {
    guard let suffix = path.suffix, let format = AudioFileFormat(suffix: suffix) else { return nil }
    self = format.use == .played ? .playable : .unplayable(format: format.name)
  }
}
