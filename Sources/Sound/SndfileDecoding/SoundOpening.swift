import AudioCore
import SystemPackage

/// Finds out which library decodes a file, and where in it the sound begins, and opens it.
enum SoundOpening {
  /// How files begin that libsndfile decodes.
  private static let otherMarks = ["RIFF", "RIFX", "RF64", "riff", "FORM", ".snd", "dns.", "caff"]

  /// Opens the regular file at `path`; with `place`, which is another way to the same file, goes that way.
  ///
  /// With `resamplers`, streams that follow each other in it may have different sample rates.
  static func open(
    _ path: FilePath, place: FilePath? = nil, resamplers: ResamplerFactory?
  ) throws(DecodingError) -> any OpenSound {
    do throws(SndfileError) {
      return try open(RegularFile(place ?? path), resamplers)
    } catch {
      throw OpeningFault(path).decodingError(error)
    }
  }

  private static func open(
    _ file: RegularFile, _ resamplers: ResamplerFactory?
  ) throws(SndfileError) -> any OpenSound {
    var bytes = ByteWindow(file.descriptor)
    let tags = TagsInFront(&bytes, size: file.size)
    // A tag may say that it has a footer, or how long it is, in a way of its own.
    for place in [tags.end, tags.firstEnd, tags.firstEnd - 10] where place >= 0 {
      let mark = bytes.read(at: place, count: 4)
      if mark.elementsEqual("fLaC".utf8) { return try FLACSound(BufferedFile(file, from: place), isOgg: false) }
      if mark.elementsEqual("OggS".utf8) { return try openOgg(file, from: place, &bytes, resamplers) }
      if otherMarks.contains(where: { mark.elementsEqual($0.utf8) }) {
        return try SndfileSound(BufferedFile(file, from: place))
      }
    }
    switch FormatSignature(size: file.size, read: { file.descriptor.bytes(at: $0, count: $1) })?.format {
    case .mp1, .mp2, .mp3, .text, .tagsAlone, .zeros, nil:
      if let start = MPEGStart(in: file) { return try MPEGSound(file, start) }
    case .rawFLAC:
      return try FLACSound(BufferedFile(file, from: tags.end), isOgg: false)
    default: break
    }
    return try SndfileSound(BufferedFile(file))
  }

  private static func openOgg(
    _ file: RegularFile, from start: Int64, _ bytes: inout ByteWindow, _ resamplers: ResamplerFactory?
  ) throws(SndfileError) -> any OpenSound {
    let starts = OggLinks.starts(&bytes, from: start, size: file.size)
    guard starts.count > 1 else { return try openLink(file, from: start, to: nil) }
    return try LinkedSound(file, starts, resamplers: resamplers)
  }

  /// Opens one stream of an Ogg file, from `start` to before `end`, or to the file's end.
  static func openLink(_ file: RegularFile, from start: Int64, to end: Int64?) throws(SndfileError) -> any OpenSound {
    var bytes = ByteWindow(file.descriptor)
    let packet = OggPage(&bytes, at: start).map { bytes.read(at: start + $0.bodyOffset, count: 5) } ?? []
    if packet.elementsEqual([0x7F] + Array("FLAC".utf8)) {
      return try FLACSound(BufferedFile(file, from: start, to: end), isOgg: true)
    }
    let patches = OpusHead.patches(&bytes, at: start)
    return try SndfileSound(BufferedFile(file, from: start, to: end, patches: patches))
  }
}
