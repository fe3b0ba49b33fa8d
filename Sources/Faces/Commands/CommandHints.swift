// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerPort
import SystemPackage
import UnicodeText
import UserSettings

/// What is meant by words that other players have for commands, and by a path in place of a command.
enum CommandHints {
  /// The commands, by the words of mpc, cmus and others. A command of Segue with such a name goes first.
  static let commands: [String: String] = [
    "add": "queue add", "append": "queue add", "enqueue": "queue add", "insert": "queue add --next",
    "addnext": "queue add --next", "crop": "queue crop", "del": "queue remove", "delete": "queue remove",
    "remove": "queue remove", "clear": "queue clear", "move": "queue move", "mv": "queue move", "swap": "queue swap",
    "shuffle": "queue shuffle", "sort": "queue sort", "dedupe": "queue dedupe", "undo": "queue undo",
    "redo": "queue redo", "jump": "queue play", "current": "status", "prev": "previous",
    "back": "previous", "skip": "next", "cdprev": "previous", "unpause": "resume", "continue": "resume",
    "start": "play", "seekthrough": "seek", "vol": "volume", "mute": "volume 0", "repeat": "mode repeat",
    "random": "mode random", "single": "mode single", "consume": "mode consume", "playlists": "playlist list",
    "lsplaylists": "playlist list", "load": "playlist load", "save": "playlist save", "rename": "playlist rename",
    "rm": "playlist delete", "ls": "albums", "list": "albums", "listall": "tracks", "find": "tracks",
    "searchplay": "play", "update": "scan", "rescan": "scan --again", "idle": "watch", "idleloop": "watch",
    "settings": "config", "devices": "outputs", "kill": "quit", "exit": "quit", "tui": "screen",
    "ui": "screen", "daemon": "serve", "server": "serve", "songs": "tracks", "show": "info", "song": "info",
    "queue del": "queue remove", "queue ls": "queue list", "queue show": "queue list",
    "playlist ls": "playlist list",
    "playlist lists": "playlist list", "playlist remove": "playlist delete", "playlist rm": "playlist delete",
    "playlist del": "playlist delete", "playlist new": "playlist save",
    "playlist clear": "playlist delete", "playlist mv": "playlist rename", "playlist start": "playlist play",
  ]

  /// Returns the hint for an unknown command with this name; `nil` if none is known.
  ///
  /// - Parameters:
  ///   - prefix: The name of the program, with a space, where it begins command lines.
  ///   - commandNames: The names of the commands that can be used.
  static func hint(_ command: String, prefix: String, among commandNames: [String]) -> String? {
    let isSetting = SettingName(rawValue: command) != nil
    guard let meant = commands[command] ?? (isSetting ? "set \(command)=VALUE" : nil),
      let name = meant.split(separator: " ").first, commandNames.contains(String(name))
    else { return nil }
    return "use `\(prefix)\(meant)`"
  }

  /// Returns the error for a word in place of a command that is the path of a directory or a file, or the title of
  /// something; `nil` if it is none of these.
  static func error(_ word: String, prefix: String) -> PlayerError? {
    let quoted = WordQuoting.word(word, mark: nil, isOpen: false) ?? word
    let isPath = word.contains("/") || word == "~" || word == "." || word == ".."
    switch (try? FileStatus(of: FilePath(typed: word)))?.kind {
    case .directory where !word.isEmpty:
      let library = prefix.isEmpty ? "" : "`\(prefix)--library \(quoted)` shows it as the library, "
      return PlayerError(
        .usage, "\(word.brief) is a directory, not a command: \(library)`\(prefix)play \(quoted)` plays it")
    case .regular where !word.isEmpty:
      return PlayerError(.usage, "\(word.brief) is a file, not a command: `\(prefix)play \(quoted)` plays it")
    default: break
    }
    if isPath { return PlayerError(.usage, "no such file or directory: \(word.brief)") }
    guard word.contains(where: \.isWhitespace) else { return nil }
    return PlayerError(
      .usage, "unknown command \"\(word.brief)\"; to play music with this name, use `\(prefix)play \(quoted)`")
  }
}
