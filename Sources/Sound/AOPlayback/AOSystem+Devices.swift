import AudioCore
import CAO
import Platform

extension AOSystem: DeviceLibrary {
  func open(
    _ driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat
  ) throws(AOError) -> any PlaybackDevice {
    let (opened, report) = StandardStream.capturingErrors { () -> Result<AODevice, AOError> in
      do throws(AOError) {
        return .success(try AODevice(driver: driver, options: options, format: format))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .failure(let error):
      throw AOError(code: error.code, report: report)
    case .success(let device):
      // libao's alsa driver plays at the wrong speed on a device that does not take the rate, and warns where it is
      // wrong by more than 5 %.
      guard !report.contains("not supported by the hardware, using") else {
        device.close()
        throw AOError(code: AO_EBADFORMAT, report: report)
      }
      return device
    }
  }
}
