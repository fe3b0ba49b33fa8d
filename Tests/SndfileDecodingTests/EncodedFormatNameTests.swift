import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// What encoders make, and libsndfile does not decode, is named by its contents.
  @Suite struct EncodedFormatNameTests {
    /// Made by ffmpeg from a tone, with these options, under this suffix.
    @Test(arguments: [
      ("aac", ["-c:a", "aac", "-f", "adts"], "AAC"),
      ("tta", ["-c:a", "tta"], "True Audio"), ("wma", ["-c:a", "wmav2"], "Windows Media Audio"),
      ("mka", ["-c:a", "flac"], "Matroska"), ("webm", ["-c:a", "libopus"], "WebM"),
      ("ac3", ["-c:a", "ac3"], "AC-3"), ("thd", ["-c:a", "truehd", "-strict", "-2"], "TrueHD or MLP"),
      ("spx", ["-c:a", "libspeex", "-ar", "16000", "-f", "ogg"], "Speex"),
      ("rm", ["-c:a", "real_144", "-ar", "8000", "-ac", "1"], "RealMedia"),
      ("m4a", ["-c:a", "aac", "-movflags", "+faststart"], "AAC in an MP4 container"),
      ("mov", ["-c:a", "alac"], "ALAC in an MP4 container"),
      ("mp4", ["-c:a", "flac", "-strict", "-2"], "FLAC in an MP4 container"),
      ("mp4", ["-c:a", "ac3"], "AC-3 in an MP4 container"),
      ("mp4", ["-c:a", "libmp3lame"], "MP3 in an MP4 container"),
      ("asf", ["-c:a", "wmav2"], "Windows Media Audio"), ("mkv", ["-c:a", "aac"], "Matroska"),
    ])
    func `what an encoder makes is named`(suffix: String, options: [String], name: String) throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("a.\(suffix)")
      try Tool.run(
        "ffmpeg",
        ["-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=0.5:sample_rate=48000"] + options
          + [path.string])
      let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
      #expect(error?.kind == .unsupported)
      #expect(error?.reason == FormatNameTests.text(name))
    }
  }
}
