/// The styles of what is shown on a terminal.
struct Palette: Sendable, Equatable {
  /// What has a style of its own.
  enum Role: String, CaseIterable, Sendable {
    case heading
    case title
    case artist
    case progress
    case next
    case keys
    case error

    /// The setting that says its style.
    var setting: SettingName {
      switch self {
      case .heading: .headingColour
      case .title: .titleColour
      case .artist: .artistColour
      case .progress: .progressColour
      case .next: .nextColour
      case .keys: .keysColour
      case .error: .errorColour
      }
    }

    /// Its style in words, where nobody sets another.
    var standard: String {
      switch self {
      case .heading, .title: "bold"
      case .error: "red"
      case .artist, .progress, .next, .keys: "default"
      }
    }

    /// What it is, in a line.
    var help: String {
      switch self {
      case .heading: "What stands above a listing."
      case .title: "The title of what plays, and its line in a listing."
      case .artist: "Its artists and album."
      case .progress: "Its position."
      case .next: "What comes next, and the modes."
      case .keys: "The line of keys."
      case .error: "What went wrong."
      }
    }
  }

  /// All as the terminal shows text anyway.
  static let plain = Palette([:])

  private let styles: [Role: TextStyle]

  /// These styles; what has none is plain.
  init(_ styles: [Role: TextStyle]) { self.styles = styles }

  /// The style of `role`.
  subscript(role: Role) -> TextStyle { styles[role] ?? .plain }
}
