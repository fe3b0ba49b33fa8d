public import SystemPackage

/// What the suffix of a file's name promises.
public enum AudioFileKind: Sendable, Hashable {
  /// Audio in a format that can be played.
  case playable
  /// Audio in a format that cannot be played, by the name that people know it by.
  case unplayable(format: String)

  /// The kind of the file at `path` by its suffix, in any case; `nil` for what is not known as audio.
  public init?(_ path: FilePath) {
    guard let suffix = path.extension?.lowercased() else { return nil }
    if Self.playableSuffixes.contains(suffix) {
      self = .playable
    } else if let format = Self.unplayableFormats[suffix] {
      self = .unplayable(format: format)
    } else {
      return nil
    }
  }

  private static let playableSuffixes: Set<String> = [
    "wav", "wave", "bwf", "w64", "rf64", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "ogg", "oga",
    "opus", "mp3", "mp2", "mpga",
  ]

  private static let unplayableFormats: [String: String] = [
    "m4a": "M4A (AAC or ALAC)", "m4b": "M4B (AAC)", "m4p": "M4P (protected AAC)", "aac": "AAC",
    "alac": "ALAC",
    "wv": "WavPack", "ape": "Monkey's Audio", "mpc": "Musepack", "mp+": "Musepack", "mpp": "Musepack",
    "dsf": "DSD", "dff": "DSD", "wma": "Windows Media Audio", "tta": "True Audio", "shn": "Shorten",
    "tak": "TAK", "ofr": "OptimFROG", "mka": "Matroska audio", "weba": "WebM audio", "spx": "Speex",
    "ra": "RealAudio", "ac3": "AC-3", "eac3": "E-AC-3", "dts": "DTS", "amr": "AMR", "mp1": "MPEG layer I",
    "mlp": "MLP", "thd": "TrueHD", "mid": "MIDI", "midi": "MIDI", "mod": "tracker module",
    "xm": "tracker module",
    "it": "tracker module", "s3m": "tracker module",
  ]
}
