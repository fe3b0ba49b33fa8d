import Platform
import SystemPackage

/// The file of settings on the disk.
enum SettingsFile {
  /// Nobody's settings are longer: in bytes.
  static let limit = 1 << 16

  /// Reads the settings in the file at `path`; `nil` where there is no file, and then neither the parser nor `commands`
  /// is asked.
  ///
  /// - Throws: `SettingsFault` where it cannot be read, or is no text.
  static func read(_ path: FilePath, commands: () -> [String]) throws(SettingsFault) -> FileSettings? {
    let place = path.lastComponent?.string ?? path.string
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try AtomicFile.read(path, limit: limit)
    } catch {
      throw SettingsFault(place: place, message: reason(error, path) + "; the settings are the defaults")
    }
    guard let bytes else { return nil }
    guard bytes.count <= limit else {
      throw SettingsFault(
        place: place, message: reason(.fileTooLarge, path) + "; the settings are the defaults")
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsFault(place: place, message: "it is no text in UTF-8; the settings are the defaults")
    }
    return FileSettings(text, place: place, commands: commands())
  }

  private static func reason(_ error: Errno, _ path: FilePath) -> String {
    switch error {
    case .fileTooLarge: "it has more than \(limit) bytes"
    case .invalidArgument: "\(path.shown) is no file"
    default: "\(path.shown) cannot be read: \(error)"
    }
  }
}
