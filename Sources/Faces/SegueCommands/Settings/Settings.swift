import Platform
import SystemPackage

/// What holds for a program, and who has said so: an option before the environment, that before the file, that before
/// the default.
struct Settings: Sendable {
  /// What a setting is, and who has set it.
  struct Chosen: Sendable, Equatable {
    let value: SettingValue
    let origin: SettingOrigin
  }

  /// What somebody has set.
  private var chosen: [SettingName: Chosen] = [:]
  /// What each alias stands for.
  private(set) var aliases: [String: FileSettings.Entry<String>] = [:]
  /// What is wrong, a line each.
  private(set) var faults: [SettingsFault] = []

  /// The defaults.
  init() {}

  /// What `file` and the variables that `environment` gives set.
  init(file: FileSettings?, environment: (String) -> String?) {
    if let file {
      chosen = file.values.mapValues { Chosen(value: $0.value, origin: .file(line: $0.line)) }
      aliases = file.aliases
      faults = file.faults
    }
    for setting in SettingsTable.shared {
      guard let variable = setting.environment, let text = environment(variable) else { continue }
      if let value = Self.value(of: setting, text) {
        chosen[setting.name] = Chosen(value: value, origin: .environment(variable))
      } else {
        let message = "\"\(text)\" does not hold: write \(setting.kind.expectation)"
        faults.append(SettingsFault(place: "$\(variable)", message: message))
      }
    }
  }

  /// A path in the environment may be relative, as one typed may.
  private static func value(of setting: Setting, _ text: String) -> SettingValue? {
    switch setting.kind {
    case .path: return .text(text)
    case .paths:
      let paths = SettingKind.split(text)
      return paths.isEmpty ? nil : .paths(paths)
    default: return setting.kind.value(parsing: text)
    }
  }

  /// The settings that the file and the environment of this process set. No alias may be one of `commands`.
  static func ofProcess(commands: () -> [String]) -> Settings {
    do throws(SettingsFault) {
      let file = try SettingsFile.read(Environment.settingsFile, commands: commands)
      return Settings(file: file, environment: Environment.value)
    } catch {
      var settings = Settings(file: nil, environment: Environment.value)
      settings.faults.insert(error, at: 0)
      return settings
    }
  }

  /// These settings, but for what options set.
  func choosing(_ options: [SettingName: SettingValue]) -> Settings {
    var settings = self
    for (name, value) in options {
      let option = SettingsTable.shared.first { $0.name == name }?.option ?? ""
      settings.chosen[name] = Chosen(value: value, origin: .option(option))
    }
    return settings
  }

  /// What somebody has set `name` to; `nil` where nobody has.
  subscript(name: SettingName) -> SettingValue? { chosen[name]?.value }

  /// Who has set `name`.
  func origin(of name: SettingName) -> SettingOrigin { chosen[name]?.origin ?? .standard }
}
