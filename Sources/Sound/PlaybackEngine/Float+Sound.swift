extension Float {
  /// Whether it is a number, and no more than 96 dB above full scale: filters make no number of what is larger.
  var isSound: Bool { magnitude < 65_536 }
}
