// SPDX-License-Identifier: GPL-3.0-or-later

/// A text style on a terminal: foreground and background colours, and effects such as bold.
package struct TextStyle: Sendable, Hashable {
  /// A colour of text or its background.
  package enum Colour: Sendable, Hashable {
    /// One of the 16 colours that the user's terminal defines, 0 to 15.
    case standard(UInt8)
    /// A colour of the 256-colour palette of xterm.
    case indexed(UInt8)
    /// A colour by its red, green and blue components.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// Effects that can be combined.
  package struct Effects: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Effects(rawValue: 1)
    package static let dim = Effects(rawValue: 2)
    package static let italic = Effects(rawValue: 4)
    package static let underline = Effects(rawValue: 8)
    package static let reverse = Effects(rawValue: 16)
  }

  /// The terminal's default style.
  package static let plain = TextStyle()

  /// The colour of the text; `nil` for the terminal's default.
  package var foreground: Colour?
  /// The colour of the background; `nil` for the terminal's default.
  package var background: Colour?
  package var effects: Effects

  package init(foreground: Colour? = nil, background: Colour? = nil, effects: Effects = []) {
    self.foreground = foreground
    self.background = background
    self.effects = effects
  }

  /// Returns this style with the colours and effects of `other` where it has any.
  package func adding(_ other: TextStyle) -> TextStyle {
    TextStyle(
      foreground: other.foreground ?? foreground, background: other.background ?? background,
      effects: effects.union(other.effects))
  }

  /// Returns the style for a terminal that shows only `depth` colours.
  package func reduced(to depth: ColourDepth) -> TextStyle {
    TextStyle(
      foreground: foreground.flatMap { $0.reduced(to: depth) },
      background: background.flatMap { $0.reduced(to: depth) },
      effects: effects)
  }

  /// The numbers that switch the style on (SGR in ECMA-48).
  package var codes: [Int] {
    var codes = Self.effectCodes.compactMap { effects.contains($0.effect) ? $0.code : nil }
    if let foreground { codes += foreground.codes(isBackground: false) }
    if let background { codes += background.codes(isBackground: true) }
    return codes
  }

  /// The numbers that change the style of a terminal from `old` to this one.
  package func codes(after old: TextStyle) -> [Int] {
    let all = [0] + codes
    guard effects.isSuperset(of: old.effects) else { return all }
    var changes = TextStyle(effects: effects.subtracting(old.effects)).codes
    if foreground != old.foreground { changes += foreground?.codes(isBackground: false) ?? [39] }
    if background != old.background { changes += background?.codes(isBackground: true) ?? [49] }
    return changes.count < all.count ? changes : all
  }

  /// Whether a blank in this style looks like one in `other`.
  package func looksBlank(like other: TextStyle) -> Bool {
    let visible: Effects = [.underline, .reverse]
    return background == other.background && effects.intersection(visible) == other.effects.intersection(visible)
      && (effects.isDisjoint(with: visible) || foreground == other.foreground)
  }

  private static let effectCodes: [(word: String, effect: Effects, code: Int)] = [
    ("bold", .bold, 1), ("dim", .dim, 2), ("italic", .italic, 3), ("underline", .underline, 4),
    ("reverse", .reverse, 7),
  ]

  /// Returns `text` between the sequences that switch the style on and off. The text must be safe for a terminal.
  package func applied(to text: String) -> String {
    let codes = codes
    return codes.isEmpty || text.isEmpty
      ? text : "\u{1B}[" + codes.map { "\($0)" }.joined(separator: ";") + "m" + text + "\u{1B}[0m"
  }
}

/// The words of a style in the settings.
extension TextStyle {
  /// The words that a style can consist of, as error messages list them.
  static let words =
    effectCodes.map(\.word) + Colour.names + ["bright-red etc.", "0 to 255", "#ff8800 etc.", "on blue etc.", "default"]

  /// Parses a style in words, such as "bold bright-cyan on blue". Returns `nil` if `text` is invalid.
  init?(parsing text: String) {
    self.init()
    var isBackground = false
    for word in text.split(separator: " ") {
      if word == "on", !isBackground {
        isBackground = true
        continue
      }
      if let effect = Self.effectCodes.first(where: { $0.word == word })?.effect, !isBackground {
        effects.insert(effect)
      } else if let colour = Colour(word) {
        if isBackground { background = colour } else { foreground = colour }
      } else if word != "default" {
        return nil
      }
      isBackground = false
    }
    guard !isBackground, !text.allSatisfy({ $0 == " " }) else { return nil }
  }
}

extension TextStyle.Colour {
  fileprivate static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
  /// The components of the six shades in the colour cube of the 256-colour palette.
  private static let cubeLevels = [0, 95, 135, 175, 215, 255]

  /// Creates the colour for a word: a name such as "bright-red", a number of the 256-colour palette, or "#" and six
  /// hexadecimal digits. Returns `nil` for any other word.
  fileprivate init?(_ word: Substring) {
    let isBright = word.hasPrefix("bright-")
    if let index = Self.names.firstIndex(of: String(isBright ? word.dropFirst(7) : word)) {
      self = .standard(UInt8(index + (isBright ? 8 : 0)))
    } else if let number = UInt8(word) {
      self = .indexed(number)
    } else if word.first == "#", word.utf8.count == 7, word.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(word.dropFirst(), radix: 16)
    {
      self = .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    } else {
      return nil
    }
  }

  fileprivate func codes(isBackground: Bool) -> [Int] {
    let offset = isBackground ? 10 : 0
    switch self {
    case .standard(let number): return [(number < 8 ? 30 : 82) + offset + Int(number)]
    case .indexed(let number): return [38 + offset, 5, Int(number)]
    case .rgb(let red, let green, let blue): return [38 + offset, 2, Int(red), Int(green), Int(blue)]
    }
  }

  /// Returns the nearest colour that a terminal with `depth` colours shows; `nil` if it has none.
  fileprivate func reduced(to depth: ColourDepth) -> TextStyle.Colour? {
    switch (depth, self) {
    case (.none, _): nil
    case (.trueColour, _), (_, .standard), (.indexed256, .indexed): self
    case (.indexed256, .rgb(let red, let green, let blue)):
      .indexed(Self.nearestIndex(Int(red), Int(green), Int(blue)))
    case (.sixteen, _): .standard(nearestStandard)
    }
  }

  private static func nearestIndex(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    let level = { (value: Int) in
      cubeLevels.indices.min { abs(cubeLevels[$0] - value) < abs(cubeLevels[$1] - value) } ?? 0
    }
    let (r, g, b) = (level(red), level(green), level(blue))
    let grey = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let distance = { (r: Int, g: Int, b: Int) in
      (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
    }
    let greyLevel = 8 + 10 * grey
    let isGreyNearer =
      distance(greyLevel, greyLevel, greyLevel) < distance(cubeLevels[r], cubeLevels[g], cubeLevels[b])
    return UInt8(isGreyNearer ? 232 + grey : 16 + 36 * r + 6 * g + b)
  }

  /// The red, green and blue components, from 0 to 255, as xterm shows the colour.
  private var components: (Int, Int, Int) {
    switch self {
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .standard(let number):
      let level = number < 8 ? 170 : 255
      return (number & 1 == 0 ? 0 : level, number & 2 == 0 ? 0 : level, number & 4 == 0 ? 0 : level)
    case .indexed(let number) where number < 16: return Self.standard(number).components
    case .indexed(let number) where number < 232:
      let cube = Int(number) - 16
      return (Self.cubeLevels[cube / 36], Self.cubeLevels[cube / 6 % 6], Self.cubeLevels[cube % 6])
    case .indexed(let number):
      let level = 8 + 10 * (Int(number) - 232)
      return (level, level, level)
    }
  }

  /// The nearest of the 16 standard colours: by hue, and bright if the colour is light.
  private var nearestStandard: UInt8 {
    let (red, green, blue) = components
    let high = max(red, green, blue)
    if high < 64 { return 0 }
    if high - min(red, green, blue) < 40 { return high < 110 ? 8 : high < 200 ? 7 : 15 }
    let bits = [red, green, blue].enumerated().reduce(0) { $0 | ($1.element * 3 > high * 2 ? 1 << $1.offset : 0) }
    return UInt8(bits + (high > 200 ? 8 : 0))
  }
}

/// How many colours a terminal shows.
package enum ColourDepth: Sendable, Hashable {
  /// None: only effects such as bold.
  case none
  /// The 16 colours of ECMA-48 terminals.
  case sixteen
  /// The 256-colour palette of xterm.
  case indexed256
  /// 24-bit colours.
  case trueColour
}
