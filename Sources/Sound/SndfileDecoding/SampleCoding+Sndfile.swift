import AudioCore
import CSndfile

extension SampleCoding {
  /// How a libsndfile format keeps samples; what is not known to keep them is lossy.
  init(ofSndfileFormat format: Int32) {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8), Int(SF_FORMAT_DPCM_8): self = .integer(bits: 8)
    case Int(SF_FORMAT_DWVW_12): self = .integer(bits: 12)
    case Int(SF_FORMAT_PCM_16), Int(SF_FORMAT_DPCM_16), Int(SF_FORMAT_DWVW_16), Int(SF_FORMAT_ALAC_16):
      self = .integer(bits: 16)
    case Int(SF_FORMAT_ALAC_20): self = .integer(bits: 20)
    // DWVW of any other number of bits has 24 at most.
    case Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_DWVW_24), Int(SF_FORMAT_DWVW_N), Int(SF_FORMAT_ALAC_24):
      self = .integer(bits: 24)
    case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_ALAC_32): self = .integer(bits: 32)
    case Int(SF_FORMAT_FLOAT): self = .float(bits: 32)
    case Int(SF_FORMAT_DOUBLE): self = .float(bits: 64)
    default: self = .lossy
    }
  }
}

extension SoundFile {
  /// Whether its samples can be any float: not those of codings that become integers.
  var holdsAnyFloat: Bool {
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE), Int(SF_FORMAT_VORBIS), Int(SF_FORMAT_OPUS),
      Int(SF_FORMAT_MPEG_LAYER_I)...Int(SF_FORMAT_MPEG_LAYER_III):
      true
    default: false
    }
  }

  /// Whether it is coded as Opus.
  var isOpus: Bool { Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_OPUS) }
}
