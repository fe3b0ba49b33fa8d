import AudioCore
import CAO

/// Sound to a device or a file through libao.
final class AOOutput: AudioOutput {
  let format: DeviceFormat
  let name: String
  let keepsTime: Bool
  let warning: String? = nil
  var bufferFrames: Int { keepsTime ? max(1, format.sampleRate / 10) : 0 }
  var periodFrames: Int { max(1, format.sampleRate / 50) }
  private var device: AODevice?
  /// How many bytes the device has to take before it lets any be heard.
  private let leastByteCount: Int
  private var byteCount = 0

  init(device: consuming AODevice, format: DeviceFormat, name: String, keepsTime: Bool) {
    self.device = consume device
    self.format = format
    self.name = name
    self.keepsTime = keepsTime
    leastByteCount = name == "pulse" ? format.sampleRate / 4 * format.frameByteCount : 0
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let isTaken = unsafe device?.play(bytes), isTaken else {
      throw OutputError(kind: .lost, description: "\(name) takes no more sound; is the device still there?")
    }
    byteCount = min(byteCount + bytes.count, leastByteCount)
  }

  func close() throws(OutputError) {
    fillUp()
    device.take()?.close()
  }

  /// Puts silence behind a sound that is shorter than PulseAudio's buffer: libao closes without asking for it to be heard.
  private func fillUp() {
    guard byteCount > 0, byteCount < leastByteCount else { return }
    let silence = [UInt8](repeating: 0, count: leastByteCount - byteCount)
    _ = unsafe silence.withUnsafeBytes { unsafe device?.play($0) }
  }
}
