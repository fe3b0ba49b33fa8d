import CTagLib

/// Whether the part of the program is there that reads unusual tags and pictures, and writes ReplayGain: on Linux, a library beside it.
public enum TagLibInstallation {
  /// What is wrong where it is not there, and what to do: a part of a line.
  static let fault =
    "libSegueTags.so cannot be loaded; install it beside segue, or in ../lib/segue, and TagLib with it"

  /// What the user should know where its file is not there; `nil` where it is. Does not load it. Any thread.
  public static var warning: String? {
    TagLibraryIsInstalled() ? nil : "this installation of segue is not complete: \(fault)"
  }

  /// Whether it can be used, for which it is loaded. Any thread.
  static var isUsable: Bool { unsafe TagLibraryLoad() != nil }
}
