import AudioCore
import SystemPackage
import TestSupport

/// What other programs make of a file.
enum Reference {
  /// A WAV file of a tone with noise, 16 bits a sample.
  static func tone(
    _ frames: Int, rate: Int = 44_100, channels: Int = 2, in directory: TemporaryDirectory, _ name: String = "in.wav"
  ) throws -> FilePath {
    try directory.write(
      WaveFile.bytes(
        material(frames, channels: channels, .bits16), rate: rate, channels: channels, depth: .bits16), to: name)
  }

  /// What mpg123 decodes.
  static func mpg123(_ path: FilePath, _ options: [String] = []) throws -> [Float] {
    floats(try Tool.run("mpg123", ["-q", "-e", "f32", "-s"] + options + [path.string]))
  }

  /// What opusdec decodes, with the channels in the order of WAVE.
  static func opusdec(_ path: FilePath) throws -> [Float] {
    let directory = try TemporaryDirectory()
    let wave = directory.file("out.wav")
    try Tool.run("opusdec", ["--quiet", "--float", "--rate", "48000", path.string, wave.string])
    return try Decoded.all(wave)
  }

  /// Samples of 32 bits, as they lie in memory.
  static func floats(_ bytes: [UInt8]) -> [Float] {
    PCM.samples(bytes, depth: .bits32).map { Float(bitPattern: UInt32(bitPattern: $0)) }
  }
}
