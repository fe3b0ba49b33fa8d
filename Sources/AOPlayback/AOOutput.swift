import AudioCore
import CAO

/// Sound to a device or a file through libao.
final class AOOutput: AudioOutput {
  let format: DeviceFormat
  let name: String
  let keepsTime: Bool
  let warning: String? = nil
  private var device: AODevice?

  init(device: consuming AODevice, format: DeviceFormat, name: String, keepsTime: Bool) {
    self.device = consume device
    self.format = format
    self.name = name
    self.keepsTime = keepsTime
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let isTaken = unsafe device?.play(bytes), isTaken else {
      throw OutputError(kind: .lost, description: "\(name) takes no more sound; is the device still there?")
    }
  }

  func close() throws(OutputError) {
    device.take()?.close()
  }
}
