extension PlayCommand {
  /// The command that `words`, which are behind its name, mean; `nil` where only the parser can tell.
  ///
  /// It tells where they are at most an album and a track, and options that say where something is. The first sound
  /// waits for this, and the parser takes a fifth of the time to it: it asks the runtime for some thirty conformances,
  /// and each time that searches all of the program.
  init?(plain words: ArraySlice<String>) {
    var given: [String] = []
    var options = PlayerOptions.none
    var option: String?
    for word in words {
      if let name = option {
        guard Self.isPlain(word), options.setPlace(name, word) else { return nil }
        option = nil
      } else if Self.isPlain(word) {
        given.append(word)
      } else {
        option = word
      }
    }
    guard option == nil else { return nil }
    guard given.count <= 2 else { return nil }
    self.init()
    album = given.first
    track = given.count > 1 ? given[1] : nil
    self.options = options
  }

  /// Whether the parser takes `word` for a value, wherever it stands.
  private static func isPlain(_ word: String) -> Bool {
    word.utf8.first.map { $0 != UInt8(ascii: "-") } ?? false
  }
}

extension PlayerOptions {
  /// Those of a command line that gives none.
  ///
  /// Each is set: one that neither this nor the parser has set ends the program when it is read.
  fileprivate static var none: PlayerOptions {
    var none = PlayerOptions()
    none.library = []
    (none.stateDir, none.dataDir, none.socket, none.output) = (nil, nil, nil, nil)
    (none.buffer, none.rate, none.depth, none.onFormatChange, none.pauseOnLoss) = (nil, nil, nil, nil, nil)
    (none.volume, none.replayGain, none.preamp, none.fallbackGain, none.clipping) = (nil, nil, nil, nil, nil)
    (none.crossfade, none.crossfadeAlbums, none.sleep, none.sleepAfter) = (nil, nil, nil, nil)
    (none.color, none.plain, none.quiet, none.verbose) = (nil, nil, nil, nil)
    return none
  }

  /// Sets the option of this name, where it says where something is, and takes any text; whether it does.
  fileprivate mutating func setPlace(_ name: String, _ value: String) -> Bool {
    switch name {
    case "--library": library.append(value)
    case "--state-dir": stateDir = value
    case "--data-dir": dataDir = value
    case "--socket": socket = value
    case "--output": output = value
    default: return false
    }
    return true
  }
}
