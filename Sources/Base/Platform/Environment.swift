// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// The environment of this process, and the paths that it determines.
public enum Environment {
  /// Returns the value of an environment variable, or `nil` if it is unset or empty.
  public static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Returns the value of an environment variable as a path, byte for byte, or `nil` if it is unset or empty.
  static func path(_ name: String) -> FilePath? {
    guard let value = unsafe getenv(name) else { return nil }
    let path = unsafe FilePath(platformString: value)
    return path.isEmpty ? nil : path
  }

  /// Sets an environment variable of this process, unless it is already set.
  ///
  /// Call it before a second thread is started: other threads may be reading the environment.
  public static func setDefault(_ name: String, to value: String) { _ = unsafe setenv(name, value, 0) }

  /// Sets an environment variable of this process.
  ///
  /// While other threads may be reading the environment, only a variable that already exists, even if it is empty, may
  /// be set.
  public static func set(_ name: String, to value: String) { _ = unsafe setenv(name, value, 1) }

  /// The user's home directory.
  public static var home: FilePath { path("HOME") ?? "/" }

  /// The directory for persistent state: `$SEGUE_STATE_DIR`, or `segue` in `$XDG_STATE_HOME`, which is `~/.local/state`
  /// unless it is set to an absolute path (XDG Base Directory Specification 0.8).
  public static var stateDirectory: FilePath {
    if let custom = path("SEGUE_STATE_DIR") { return custom }
    let base = path("XDG_STATE_HOME").flatMap { $0.isAbsolute ? $0 : nil }
    return (base ?? home.appending(".local").appending("state")).appending("segue")
  }

  /// The directory for the library index: `$SEGUE_DATA_DIR`, or `segue` in `$XDG_DATA_HOME`, which is `~/.local/share`
  /// unless it is set to an absolute path (XDG Base Directory Specification 0.8).
  public static var dataDirectory: FilePath {
    if let custom = path("SEGUE_DATA_DIR") { return custom }
    let base = path("XDG_DATA_HOME").flatMap { $0.isAbsolute ? $0 : nil }
    return (base ?? home.appending(".local").appending("share")).appending("segue")
  }

  /// The directory for files that can be regenerated: `$SEGUE_CACHE_DIR`, or `segue` in `$XDG_CACHE_HOME`, which is
  /// `~/.cache` unless it is set to an absolute path (XDG Base Directory Specification 0.8).
  public static var cacheDirectory: FilePath {
    if let custom = path("SEGUE_CACHE_DIR") { return custom }
    let base = path("XDG_CACHE_HOME").flatMap { $0.isAbsolute ? $0 : nil }
    return (base ?? home.appending(".cache")).appending("segue")
  }

  /// The settings file: `$SEGUE_CONFIG`, or `segue/config.toml` in `$XDG_CONFIG_HOME`, which is `~/.config` unless it
  /// is set to an absolute path (XDG Base Directory Specification 0.8).
  public static var settingsFile: FilePath {
    if let custom = path("SEGUE_CONFIG") { return custom }
    return configurationHome.appending("segue").appending("config.toml")
  }

  /// The directory of the profiles of the equaliser: `equalizer`, beside the settings file.
  public static var equalizerDirectory: FilePath {
    settingsFile.removingLastComponent().appending("equalizer")
  }

  /// The music directories: those in `$SEGUE_LIBRARY`, separated by colons as in `$PATH`, or the user's music
  /// directory.
  public static var libraryDirectories: [FilePath] {
    let bytes = path("SEGUE_LIBRARY")?.systemBytes ?? []
    let directories = bytes.split(separator: UInt8(ascii: ":")).map { FilePath(systemBytes: Array($0)) }
    return directories.isEmpty ? [musicDirectory] : directories
  }

  /// The user's music directory: `$XDG_MUSIC_DIR`, or the one in `user-dirs.dirs` in `$XDG_CONFIG_HOME` or `~/.config`,
  /// or `~/Music`.
  public static var musicDirectory: FilePath {
    if let custom = path("XDG_MUSIC_DIR"), custom.isAbsolute { return custom }
    let file = configurationHome.appending("user-dirs.dirs")
    let bytes = (try? AtomicFile.read(file, limit: UserDirectories.limit)) ?? nil
    return bytes.flatMap { UserDirectories.music(in: $0, home: home) } ?? home.appending("Music")
  }

  private static var configurationHome: FilePath {
    path("XDG_CONFIG_HOME").flatMap { $0.isAbsolute ? $0 : nil } ?? home.appending(".config")
  }

  /// The path of the player's socket: `$SEGUE_SOCKET`, or `segue/socket` in `$XDG_RUNTIME_DIR`; `nil` if neither is
  /// set.
  public static var socket: FilePath? {
    path("SEGUE_SOCKET") ?? runtimeSocket
  }

  /// The default path of the player's socket: `segue/socket` in `$XDG_RUNTIME_DIR`; `nil` if that is not set to an
  /// absolute path.
  public static var runtimeSocket: FilePath? {
    let base = path("XDG_RUNTIME_DIR").flatMap { $0.isAbsolute ? $0 : nil }
    return base?.appending("segue").appending("socket")
  }

  /// The directory for saved playlists that `$SEGUE_PLAYLISTS` specifies; `nil` if that is unset or empty.
  public static var playlistDirectory: FilePath? { path("SEGUE_PLAYLISTS") }
}

/// Reads `user-dirs.dirs`, the file in which the desktop stores the user's directories (xdg-user-dirs).
enum UserDirectories {
  /// The maximum size of `user-dirs.dirs`, in bytes.
  static let limit = 1 << 16

  /// Returns the music directory that `bytes`, the contents of `user-dirs.dirs`, specify; `nil` if they specify none,
  /// or `home` itself, which also means none.
  ///
  /// A line is `XDG_MUSIC_DIR="$HOME/Music"`, or has an absolute path; the only shell syntax in the file is the
  /// backslash.
  static func music(in bytes: [UInt8], home: FilePath) -> FilePath? {
    var music: FilePath?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      let prefix = Array("XDG_MUSIC_DIR=\"".utf8)
      guard line.starts(with: prefix), let value = unquoted(line.dropFirst(prefix.count)) else { continue }
      music = path(value, home: home)
    }
    return music
  }

  /// Returns the value before the closing quotation mark, with escapes resolved; `nil` if there is no closing mark.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var value: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return value }
      guard byte == UInt8(ascii: "\\") else {
        value.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      value.append(escaped)
    }
    return nil
  }

  private static func path(_ value: [UInt8], home: FilePath) -> FilePath? {
    if value.contains(0) { return nil }
    let variable = Array("$HOME".utf8)
    let path: FilePath
    if value.starts(with: variable) {
      let rest = value.dropFirst(variable.count)
      guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
      path = FilePath(systemBytes: home.systemBytes + rest)
    } else {
      path = FilePath(systemBytes: value)
    }
    return path.isAbsolute && path != home ? path : nil
  }
}

/// The directory of the default socket: `segue` in `$XDG_RUNTIME_DIR`.
package enum RuntimeDirectory {
  /// Returns why the socket at `path` must not be used, with what to do about it; `nil` if it may be. A socket other
  /// than the default one is the user's own choice.
  package static func problem(withSocketAt path: FilePath) -> String? {
    guard path == Environment.runtimeSocket else { return nil }
    return problem(with: path.removingLastComponent())
  }

  /// Returns why another user could take the place of the player whose socket is in `directory`, or connect to it, with
  /// what to do about it; `nil` if none can. The directory need not exist.
  package static func problem(with directory: FilePath) -> String? {
    let parent = directory.removingLastComponent()
    let remedy = "unset XDG_RUNTIME_DIR, or use --socket"
    if let ownership = try? FileOwnership(of: parent) {
      guard ownership.isOwn else { return "\(parent.shown) belongs to another user: \(remedy)" }
      guard ownership.permissions.isDisjoint(with: [.groupWrite, .otherWrite]) else {
        return "other users can write to \(parent.shown): run `chmod 700` on it, or use --socket"
      }
    }
    // No other user can replace it from here on.
    guard let status = try? FileStatus(of: directory, followingLinks: false) else { return nil }
    guard status.kind == .directory else { return "\(directory.shown) is not a directory, or is a link: remove it" }
    guard (try? FileOwnership(of: directory))?.isOwn == true else {
      return "\(directory.shown) belongs to another user: \(remedy)"
    }
    return nil
  }
}
