/// Writes a text so that bash reads it as a part of one word.
enum BashQuoting {
  private static let special = Set(" \t\"'`\\$|&;<>()*?[]{}#~=:!^%@")

  /// `text` behind the quotation mark `mark`, which bash's editor closes, or behind none.
  static func text(_ text: String, within mark: Character?) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      let character = Character(scalar)
      switch (mark, character) {
      // Nothing is quoted within these marks: it stands between two such texts.
      case ("'", "'"): quoted += "'\\''"
      case ("'", _): quoted.append(character)
      // Nor would a backslash go before this one.
      case ("\"", "!"): quoted += "\"'!'\""
      case ("\"", "\""), ("\"", "\\"), ("\"", "$"), ("\"", "`"): quoted += "\\\(character)"
      case ("\"", _): quoted.append(character)
      default: quoted += special.contains(character) ? "\\\(character)" : "\(character)"
      }
    }
    // The editor puts in no mark where there is one.
    return mark.map { quoted.last == $0 ? quoted + String($0) : quoted } ?? quoted
  }
}
