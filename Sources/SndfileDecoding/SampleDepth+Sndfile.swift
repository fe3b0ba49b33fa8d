import AudioCore
import CSndfile

extension SampleDepth {
  /// The depth that carries the samples of a libsndfile format unchanged, or `nil` for a lossy coding.
  ///
  /// 24 bits for what has more, or is floating-point: the path of float samples carries no more.
  init?(ofSndfileFormat format: Int32) {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_VORBIS), Int(SF_FORMAT_OPUS), Self.mpegLayers: return nil
    case Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE),
      Int(SF_FORMAT_ALAC_20), Int(SF_FORMAT_ALAC_24), Int(SF_FORMAT_ALAC_32):
      self = .bits24
    default: self = .bits16
    }
  }

  private static let mpegLayers = Int(SF_FORMAT_MPEG_LAYER_I)...Int(SF_FORMAT_MPEG_LAYER_III)
}

extension SoundFile {
  /// Whether its samples can be any float: not those of integer codings.
  var holdsAnyFloat: Bool {
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE): true
    default: SampleDepth(ofSndfileFormat: info.format) == nil
    }
  }

  /// Whether it is in an Ogg container.
  var isOgg: Bool { Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_OGG) }

  /// Whether libsndfile reads it through mpg123.
  var isMPEG: Bool { Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_MPEG) }
}
