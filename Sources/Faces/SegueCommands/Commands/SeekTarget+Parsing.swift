import AudioCore

extension SeekTarget {
  /// Understands `90`, `1:30`, `+10` and `-1:30`.
  init?(parsing text: String) {
    let isStep = text.hasPrefix("+") || text.hasPrefix("-")
    guard let duration = TimeText.duration(isStep ? text.dropFirst() : text[...]) else { return nil }
    self = isStep ? .by(text.hasPrefix("-") ? .zero - duration : duration) : .to(duration)
  }
}
