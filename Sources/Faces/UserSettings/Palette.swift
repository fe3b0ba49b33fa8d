// SPDX-License-Identifier: GPL-3.0-or-later

/// The text styles for output on a terminal.
package struct Palette: Sendable, Equatable {
  /// A kind of text that has a style of its own.
  package enum Role: String, CaseIterable, Sendable {
    case heading
    case title
    case artist
    case progress
    case next
    case keys
    case error
    case selection
    case mark
    case faint

    /// The setting that contains the style of the role.
    var setting: SettingName { styles.setting }

    /// The default style of the role in printed text and on the now-playing view, in words.
    var defaultStyle: String { styles.printed }

    /// The setting of the role, and its styles where the setting says nothing: in printed text, and of the themes.
    fileprivate var styles:
      (setting: SettingName, printed: String, dark: String, light: String, contrast: String, terminal: String)
    {
      switch self {
      case .heading: (.headingColour, "bold", "bold #7fb2ff", "bold #0b4fa8", "bold underline", "bold blue")
      case .title: (.titleColour, "bold", "bold #ffd180", "bold #7a4100", "bold", "bold yellow")
      case .artist: (.artistColour, "default", "#8fd6c4", "#00665a", "default", "cyan")
      case .progress: (.progressColour, "default", "#7fb2ff", "#0b4fa8", "default", "blue")
      case .next: (.nextColour, "default", "#c3c7d1", "#3c414c", "default", "default")
      case .keys: (.keysColour, "default", "#969cab", "#646a76", "default", "dim")
      case .error: (.errorColour, "red", "bold #ff7b86", "bold #b00024", "bold underline", "bold red")
      case .selection: (.selectionColour, "reverse", "bold on #2e4366", "bold on #cfe0fa", "bold reverse", "reverse")
      case .mark: (.markColour, "bold", "#ffb057", "#a64b00", "bold", "magenta")
      case .faint: (.faintColour, "default", "#969cab", "#646a76", "default", "dim")
      }
    }

    /// The description of the role in one line.
    var help: String {
      switch self {
      case .heading: "Headings of listings."
      case .title: "Title of the current track, and its line in listings."
      case .artist: "Artists and album of the current track."
      case .progress: "Progress of the current track."
      case .next: "Upcoming tracks, and the modes."
      case .keys: "Key hints."
      case .error: "Errors."
      case .selection: "Line under the cursor, on the full screen."
      case .mark: "Marked lines, on the full screen."
      case .faint: "Details, on the full screen."
      }
    }
  }

  /// The palette in which all text has the terminal's default style.
  package static let plain = Palette([:])

  private let styles: [Role: TextStyle]

  /// Creates a palette. Roles without a style have the terminal's default style.
  init(_ styles: [Role: TextStyle]) { self.styles = styles }

  package subscript(role: Role) -> TextStyle { styles[role] ?? .plain }
}

/// The colours of the full screen, unless the settings name others.
package enum Theme: String, CaseIterable, Sendable {
  /// For a terminal with a dark background.
  case dark
  /// For a terminal with a light background.
  case light
  /// High contrast: black, white, and effects such as bold.
  case contrast
  /// The 16 colours that the terminal defines.
  case terminal
  /// Colours of the cover, on the background of the terminal; without a cover, those of `dark` or `light`.
  case cover

  /// The style of a role, in words.
  func style(of role: Palette.Role) -> String {
    switch self {
    case .dark, .cover: role.styles.dark
    case .light: role.styles.light
    case .contrast: role.styles.contrast
    case .terminal: role.styles.terminal
    }
  }

  /// Returns the style of a role that is drawn in the colours of a cover; `nil` if it has another one. The colour is
  /// made lighter or darker until it can be read on the background of the theme.
  func style(of role: Palette.Role, _ accent: (red: UInt8, green: UInt8, blue: UInt8)) -> String? {
    let isLight = self == .light
    switch role {
    case .heading, .title: return "bold " + Self.colour(accent, luma: isLight ? 70 : 185)
    case .progress, .mark: return Self.colour(accent, luma: isLight ? 85 : 165)
    case .selection: return "bold on " + Self.colour(accent, luma: isLight ? 215 : 60)
    case .artist, .next, .keys, .error, .faint: return nil
    }
  }

  /// Returns a colour in words, mixed with black or white so that it has a luma (ITU-R BT.601), from 0 to 255.
  private static func colour(_ colour: (red: UInt8, green: UInt8, blue: UInt8), luma wanted: Double) -> String {
    let components = [colour.red, colour.green, colour.blue].map { Double($0) }
    let luma = zip(components, [0.299, 0.587, 0.114]).reduce(0) { $0 + $1.0 * $1.1 }
    let mixed = components.map { component in
      luma > wanted
        ? component * wanted / max(luma, 1) : component + (255 - component) * (wanted - luma) / max(255 - luma, 1)
    }
    return mixed.reduce(into: "#") { text, component in
      let digits = String(UInt8(max(0, min(255, component.rounded()))), radix: 16)
      text += digits.count == 1 ? "0" + digits : digits
    }
  }
}

/// How the full screen draws the spectrum: a value of the setting `spectrum`.
package enum SpectrumStyle: String, CaseIterable, Sendable {
  case bars
  case braille
}

/// When output has colours: a value of `--color`.
package enum ColourChoice: String, CaseIterable {
  /// On a terminal that supports colours, unless `$NO_COLOR` is set.
  case auto
  /// Always, even in pipes and files.
  case always
  case never
}
