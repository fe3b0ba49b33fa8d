// SPDX-License-Identifier: GPL-3.0-or-later

/// The format of an audio file. The raw value is the name that people use for it, as it appears within a sentence.
public enum AudioFileFormat: String, Sendable, Hashable, CaseIterable {
  // Played by the decoders of libsndfile.
  case wav = "WAV"
  case w64 = "W64"
  case rf64 = "RF64"
  case aiff = "AIFF"
  case au = "AU"
  case caf = "CAF"
  case flac = "FLAC"
  case oggVorbis = "Ogg Vorbis"
  case oggOpus = "Ogg Opus"
  case mp3 = "MP3"
  case mp2 = "MPEG layer II"
  case mp1 = "MPEG layer I"
  case oggFLAC = "FLAC in an Ogg container"
  case rawFLAC = "FLAC without a header"

  // Played by FFmpeg.
  case aac = "AAC"
  case loas = "AAC in a LOAS stream"
  case aacInMP4 = "AAC in an MP4 container"
  case alacInMP4 = "ALAC in an MP4 container"
  case ac3InMP4 = "AC-3 in an MP4 container"
  case flacInMP4 = "FLAC in an MP4 container"
  case opusInMP4 = "Opus in an MP4 container"
  case mp3InMP4 = "MP3 in an MP4 container"
  case pcmInMP4 = "PCM in an MP4 container"
  case mp4 = "M4A (AAC or ALAC)"
  case wavPack = "WavPack"
  case monkeysAudio = "Monkey's Audio"
  case musepack = "Musepack"
  case musepack7 = "Musepack SV7"
  case musepack8 = "Musepack SV8"
  case trueAudio = "True Audio"
  case dsf = "DSD in a DSF file"
  case dff = "DSD in a DFF file"
  case windowsMedia = "Windows Media Audio"
  case matroska = "Matroska"
  case webM = "WebM"
  case realMedia = "RealMedia"
  case tracker = "tracker module"
  case gameMusic = "game music"
  case speex = "Speex"
  case oggMixed = "Ogg with more than one stream at a time"
  case theora = "an Ogg Theora video"
  case avi = "an AVI video"
  case shorten = "Shorten"
  case tak = "TAK"
  case ac3 = "AC-3"
  case dts = "DTS"
  case amr = "AMR"
  case trueHD = "TrueHD or MLP"

  // Audio, but not playable.
  case protectedMP4 = "copy-protected AAC (FairPlay) in an MP4 container"
  case encryptedMP4 = "encrypted audio in an MP4 container"
  case midi = "MIDI"
  case optimFROG = "OptimFROG"

  // Not audio, or not only.
  case mp4Video = "an MP4 video"
  case png = "a PNG picture"
  case jpeg = "a JPEG picture"
  case gif = "a GIF picture"
  case webP = "a WebP picture"
  case pdf = "a PDF document"
  case zip = "a ZIP archive"
  case gzip = "a gzip archive"
  case webPage = "a web page"
  case xml = "an XML document"
  case playlist = "a playlist"
  case cueSheet = "a cue sheet"
  case text = "text"
  case tagsAlone = "tags without audio"
  case zeros = "nothing but zeros"
  case empty = "an empty file"

  /// How Segue can use a format.
  public enum Use: Sendable, Hashable {
    /// A format that the decoders of libsndfile play.
    case played
    /// A format that FFmpeg plays, if the program `segue-decode` is installed.
    case playedByFFmpeg
    /// An audio format that Segue cannot play.
    case unplayable
    case none
  }

  /// The name of the format, for the user.
  public var name: String { rawValue }

  /// How Segue can use this format.
  public var use: Use {
    switch self {
    case .wav, .w64, .rf64, .aiff, .au, .caf, .flac, .oggVorbis, .oggOpus, .mp3, .mp2, .mp1, .oggFLAC, .rawFLAC:
      .played
    case .mp4Video, .png, .jpeg, .gif, .webP, .pdf, .zip, .gzip, .webPage, .xml, .playlist, .cueSheet, .text,
      .tagsAlone, .zeros, .empty:
      .none
    case .protectedMP4, .encryptedMP4, .midi, .optimFROG: .unplayable
    default: .playedByFFmpeg
    }
  }

  /// Whether Segue can play this format, possibly with FFmpeg.
  public var isPlayable: Bool { use == .played || use == .playedByFFmpeg }

  /// Creates the format that a file name extension stands for, in any case and without the dot; returns `nil` if it is
  /// not the extension of a known audio format.
  public init?(suffix: String) {
    guard let format = Self.suffixes[suffix.lowercased()] else { return nil }
    self = format
  }

  /// The suffixes of file names of the formats with this use, in alphabetical order.
  public static func suffixes(_ use: Use) -> [String] { suffixes.filter { $0.value.use == use }.keys.sorted() }

  private static let suffixes: [String: AudioFileFormat] = [
    "wav": .wav, "wave": .wav, "bwf": .wav, "w64": .w64, "rf64": .rf64, "aif": .aiff, "aiff": .aiff,
    "aifc": .aiff, "au": .au, "snd": .au, "caf": .caf, "flac": .flac, "ogg": .oggVorbis, "oga": .oggVorbis,
    "oggflac": .oggFLAC, "opus": .oggOpus, "mp3": .mp3, "mpga": .mp3, "mp2": .mp2, "mp1": .mp1, "m4a": .mp4,
    "m4b": .mp4,
    "m4r": .mp4, "mp4": .mp4, "alac": .mp4, "m4p": .protectedMP4, "mov": .mp4, "aac": .aac, "loas": .loas,
    "latm": .loas, "wv": .wavPack, "ape": .monkeysAudio,
    "mpc": .musepack, "mp+": .musepack, "mpp": .musepack, "dsf": .dsf, "dff": .dff, "wma": .windowsMedia,
    "asf": .windowsMedia,
    "tta": .trueAudio, "shn": .shorten, "tak": .tak, "ofr": .optimFROG, "mka": .matroska, "mkv": .matroska,
    "weba": .webM, "webm": .webM,
    "spx": .speex, "ra": .realMedia, "ac3": .ac3, "eac3": .ac3, "dts": .dts, "amr": .amr, "mlp": .trueHD,
    "thd": .trueHD, "mid": .midi, "midi": .midi, "mod": .tracker, "xm": .tracker, "it": .tracker,
    "s3m": .tracker, "nsf": .gameMusic, "nsfe": .gameMusic, "spc": .gameMusic, "vgm": .gameMusic, "gbs": .gameMusic,
    "hes": .gameMusic, "kss": .gameMusic, "sap": .gameMusic, "ay": .gameMusic, "gym": .gameMusic,
  ]
}
