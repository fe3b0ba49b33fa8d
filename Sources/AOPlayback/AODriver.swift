import AudioCore
import CAO

/// One of libao's drivers.
public struct AODriver: Sendable, Hashable {
  /// Where the sound of a driver goes.
  public enum Kind: Sendable, Hashable {
    /// To a device, as it is heard.
    case live
    /// To a file.
    case file
  }

  /// What the user calls it ("alsa", "wav").
  public let name: String
  /// What it is, in words for people.
  public let title: String
  /// Where its sound goes.
  public let kind: Kind
  /// Whether libao's configuration names it as the default, or libao found it to be the best.
  public let isDefault: Bool
  /// The names of the options that it takes.
  public let options: [String]
  let priority: Int

  init?(_ info: ao_info, _ defaultID: Int32) {
    guard let shortName = unsafe info.short_name, let longName = unsafe info.name else { return nil }
    name = unsafe String(cString: shortName)
    title = unsafe String(cString: longName).split(separator: " ").joined(separator: " ")
    kind = unsafe info.type == AO_TYPE_FILE ? .file : .live
    priority = unsafe Int(info.priority)
    isDefault = unsafe ao_driver_id(shortName) == defaultID
    options = unsafe (0..<Int(info.option_count)).compactMap { index in
      unsafe info.options[index].map { unsafe String(cString: $0) }
    }
  }

  /// Whether it only throws sound away, as fast as it comes.
  var isNull: Bool { name == "null" }

  /// The depths to try for samples of `depth`, the best first. libao's alsa driver garbles 24 bits.
  func depths(for depth: SampleDepth) -> [SampleDepth] {
    switch depth {
    case .bits16: [.bits16]
    case .bits24, .bits32: name == "alsa" ? [.bits32, .bits16] : [.bits24, .bits32, .bits16]
    }
  }

  /// The options that open the device named `device`, or the driver's default device.
  func openingOptions(device: String?) -> [(key: String, value: String)] {
    var chosen: [(key: String, value: String)] = []
    if let device { chosen.append((options.contains("dev") ? "dev" : "server", device)) }
    switch name {
    case "pulse": chosen.append(("client_name", "segue"))
    // In milliseconds; libao's default of half a second is heard after a pause.
    case "alsa": chosen.append(("buffer_time", "100"))
    default: break
    }
    return chosen
  }
}
