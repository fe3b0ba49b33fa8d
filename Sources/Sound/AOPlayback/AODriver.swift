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

  /// A driver as libao describes it.
  init(name: String, title: String, kind: Kind, isDefault: Bool, options: [String], priority: Int) {
    self.name = name
    self.title = title
    self.kind = kind
    self.isDefault = isDefault
    self.options = options
    self.priority = priority
  }

  init?(_ info: ao_info, _ defaultID: Int32) {
    guard let shortName = unsafe info.short_name, let longName = unsafe info.name else { return nil }
    self.init(
      name: unsafe String(cString: shortName),
      title: unsafe String(cString: longName).split(separator: " ").joined(separator: " "),
      kind: unsafe info.type == AO_TYPE_FILE ? .file : .live,
      isDefault: unsafe ao_driver_id(shortName) == defaultID,
      options: unsafe (0..<Int(info.option_count)).compactMap { index in
        unsafe info.options[index].map { unsafe String(cString: $0) }
      },
      priority: unsafe Int(info.priority))
  }

  /// Whether it only throws sound away, as fast as it comes.
  var isNull: Bool { name == "null" }

  /// The depths to try for samples of `depth`, the best first. libao's alsa driver garbles 24 bits.
  func depths(for depth: SampleDepth) -> [SampleDepth] {
    switch depth {
    case .bits16: name == "alsa" ? [.bits16, .bits32] : [.bits16, .bits24, .bits32]
    case .bits24, .bits32: name == "alsa" ? [.bits32, .bits16] : [.bits24, .bits32, .bits16]
    }
  }

  /// Whether a sound server plays what it takes, so that only the server has to be in time.
  var isSoundServer: Bool { ["pulse", "esd", "arts", "roar", "sndio"].contains(name) }

  /// Whether it takes any rate, and converts it.
  var convertsRates: Bool { ["pulse", "macosx"].contains(name) }

  /// The options that open the device named `device`, or the driver's default device, with `buffer`.
  func openingOptions(device: String?, buffer: DriverBuffer) -> [(key: String, value: String)] {
    var chosen: [(key: String, value: String)] = []
    if let device { chosen.append((options.contains("dev") ? "dev" : "server", device)) }
    if let option = buffer.option { chosen.append(option) }
    switch name {
    case "pulse": chosen.append(("client_name", "segue"))
    // It says so in no other way where the device takes another rate than the one asked for.
    case "alsa": chosen.append(("verbose", ""))
    default: break
    }
    return chosen
  }
}
