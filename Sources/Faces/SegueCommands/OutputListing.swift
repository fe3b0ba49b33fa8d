/// An output that the user can name, for `segue outputs`.
public struct OutputListing: Sendable, Equatable {
  /// What to write after `--output`.
  public let usage: String
  /// What it is.
  public let title: String
  /// Whether it is the first that an automatic choice tries.
  public let isDefault: Bool

  /// An output of this usage and title.
  public init(usage: String, title: String, isDefault: Bool) {
    self.usage = usage
    self.title = title
    self.isDefault = isDefault
  }
}
