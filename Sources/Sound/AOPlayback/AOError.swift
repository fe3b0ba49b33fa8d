import CAO

/// Why libao opened nothing.
struct AOError: Error, Hashable {
  /// libao's own code, which it leaves in `errno`, where it means something else.
  let code: Int32
  /// What the libraries wrote to standard error meanwhile, which is all that tells why a device did not open.
  var report = ""

  /// What is wrong, in words for people.
  var message: String {
    if isBusy { return "the device is busy; another program uses it" }
    return switch code {
    case AO_ENODRIVER: "there is no such driver"
    case AO_ENOTFILE: "the driver does not write files"
    case AO_ENOTLIVE: "the driver only writes files"
    case AO_EBADOPTION: "the driver does not take this device name"
    case AO_EOPENDEVICE: "the device could not be opened"
    case AO_EOPENFILE: "the file could not be opened"
    case AO_EFILEEXISTS: "the file exists already"
    case AO_EBADFORMAT: "the driver does not take this sample format"
    default: "the driver failed"
    }
  }

  /// Whether another program has the device.
  var isBusy: Bool { report.contains("Device or resource busy") }

  /// Whether the device would not open in any other format.
  var isFinal: Bool {
    isBusy || report.contains("No such file or directory") || report.contains("No such device")
  }
}
