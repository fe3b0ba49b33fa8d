import AudioCore
import Platform

/// Sound to a device through libao.
final class AOOutput: AudioOutput {
  let format: DeviceFormat
  let name: String
  let keepsTime: Bool
  let warning: String? = nil
  let bufferFrames: Int
  let periodFrames: Int
  let needsRealTime: Bool
  private let device: any PlaybackDevice
  private let clock: any MonotonicClock
  private var tail: SilentTail?

  /// The output that plays to `device`, which was opened by `driver` with `buffer` in `format`.
  init(
    device: any PlaybackDevice, driver: AODriver, buffer: DriverBuffer, format: DeviceFormat, clock: any MonotonicClock
  ) {
    self.device = device
    self.clock = clock
    self.format = format
    name = driver.name
    keepsTime = !driver.isNull
    bufferFrames = driver.isNull ? 0 : buffer.frames(format)
    periodFrames = driver.isNull ? 8192 : buffer.periodFrames(format)
    needsRealTime = !driver.isNull && !driver.isSoundServer
    tail = SilentTail(driver: name, bufferFrames: bufferFrames, sampleRate: format.sampleRate)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    tail?.write(bytes.count / format.frameByteCount, at: clock.now)
    guard unsafe device.play(bytes) else {
      tail = nil
      throw OutputError(kind: .lost, description: "\(name) takes no more sound; is the device still there?")
    }
  }

  func close() throws(OutputError) {
    if let silence = tail?.silence, silence > 0 {
      let bytes = [UInt8](repeating: 0, count: silence * format.frameByteCount)
      _ = unsafe bytes.withUnsafeBytes { unsafe device.play($0) }
    }
    device.close()
  }
}
