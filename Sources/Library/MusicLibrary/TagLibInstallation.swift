import CTagLib

/// Whether the part of the program is there that reads unusual tags and pictures, and writes ReplayGain: on Linux, a
/// library of its own.
///
/// Without it no library is read, since that would forget what its tags said; what the index holds can be played.
public enum TagLibInstallation {
  private static let advice =
    "install libSegueTags.so in ../lib/segue, as seen from segue, or beside it, and TagLib; then start segue again"

  /// What the user should know where its file is not there; `nil` where it is. Does not load it. Any thread.
  public static var warning: String? {
    TagLibraryIsInstalled()
      ? nil : "this installation is not complete, and not all tags can be read: \(advice)"
  }

  /// The library, which is loaded now; `nil` where that fails, and the next time, it is tried again. Any thread.
  static var library: UnsafePointer<TagLibrary>? { unsafe TagLibraryLoad(nil, 0) }

  /// Why it cannot be loaded, and what to do: a part of a line.
  static var fault: String {
    let reason = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1_024) { buffer in
      guard let text = buffer.baseAddress, unsafe TagLibraryLoad(text, buffer.count) == nil else { return "" }
      return unsafe "\(String(cString: text)); "
    }
    return reason + advice
  }
}
