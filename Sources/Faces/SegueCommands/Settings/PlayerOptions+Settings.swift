extension PlayerOptions {
  /// The settings that the options set.
  var given: [SettingName: SettingValue] {
    let all: [(SettingName, SettingValue?)] = [
      (.library, library.isEmpty ? nil : .paths(library)), (.output, output.map { .text($0) }),
      (.buffer, buffer.map { .whole($0) }), (.rate, rate.map { .whole($0) }),
      (.depth, depth.map { .whole($0) }), (.onFormatChange, onFormatChange.map { .text($0) }),
      (.pauseOnLoss, pauseOnLoss.map { .flag($0) }), (.replayGain, replayGain.map { .text($0) }),
      (.preamp, preamp.map { .number($0) }), (.fallbackGain, fallbackGain.map { .number($0) }),
      (.clipping, clipping.map { .text($0) }), (.crossfade, crossfade.map { .number($0) }),
      (.crossfadeAlbums, crossfadeAlbums.map { .flag($0) }), (.color, color.map { .text($0) }),
      (.plain, plain.map { .flag($0) }),
    ]
    return Dictionary(
      all.compactMap { name, value in value.map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// These options, and for a player that starts, what `settings` say of those that are not given.
  func filled(from settings: Settings) -> PlayerOptions {
    let settings = settings.choosing(given)
    var filled = self
    filled.output = settings.word(.output)
    filled.buffer = settings.whole(.buffer)
    filled.rate = settings.whole(.rate)
    filled.depth = settings.whole(.depth)
    filled.onFormatChange = settings.word(.onFormatChange)
    filled.pauseOnLoss = settings.flag(.pauseOnLoss)
    filled.replayGain = settings.word(.replayGain)
    filled.preamp = settings.number(.preamp)
    filled.fallbackGain = settings.number(.fallbackGain)
    filled.clipping = settings.word(.clipping)
    filled.crossfade = settings.number(.crossfade)
    filled.crossfadeAlbums = settings.flag(.crossfadeAlbums)
    // The option alone would be a mistake, the setting is none.
    if filled.crossfade == nil, crossfadeAlbums == nil { filled.crossfadeAlbums = nil }
    return filled
  }

  /// Sees to it that each value that was given is in its range.
  ///
  /// - Throws: `CommandError` where one is not.
  func checkRanges() throws(CommandError) {
    let given = given
    guard !given.isEmpty else { return }
    for setting in SettingsTable.shared {
      guard let option = setting.option, let value = given[setting.name] else { continue }
      // Who takes them says what is wrong with paths and texts.
      guard [.path, .paths, .text].contains(setting.kind) || setting.kind.value(SettingsTree(value)) != nil
      else {
        throw .outOfRange(option, value.text, setting.kind.expectation)
      }
    }
  }
}
