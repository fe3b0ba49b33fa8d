import AOPlayback
import AudioCore

/// libao may be started once in a process.
let system: AOSystem = {
  let system = AOSystem()
  system.start()
  return system
}()

/// Writes sound to outputs.
enum SoundWriting {
  static func format(_ depth: SampleDepth, rate: Int = 44_100, channels: Int = 2) -> DeviceFormat {
    DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
  }

  static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  static func write(_ bytes: [UInt8], to output: any AudioOutput) throws {
    // With a closure that throws `OutputError` only, the compiler crashes (Swift 6.3.1).
    let result = bytes.withUnsafeBytes { buffer in
      Result { try output.write(buffer) }
    }
    try result.get()
  }
}
