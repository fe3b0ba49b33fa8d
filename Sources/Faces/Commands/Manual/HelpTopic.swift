// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import UserSettings

/// A topic that `segue help TOPIC` explains. The text is a file in the directory `Topics`.
enum HelpTopic: String, CaseIterable {
  case formats, hooks, keys, playlists, queries, queue, ratings, replaygain, screen, screens, scrobbling, server, sound

  /// Creates the topic that a command line such as `help keys` asks for. Returns `nil` for any other line.
  init?(_ words: [String]) {
    guard words.count == 2, words[0] == "help" else { return nil }
    self.init(rawValue: words[1])
  }

  /// Returns the text of the topic. If a subcommand of `root` has the same name, the help of that command precedes it.
  func text(in root: any ParsableCommand.Type) -> String {
    let command = root.configuration.subcommands.first { $0.commandNames.contains(rawValue) }
    return (command.map { root.helpMessage(for: $0, columns: 80) + "\n" } ?? "") + text
  }

  /// The text of the topic. Lines are at most 78 columns wide.
  var text: String {
    let bytes =
      switch self {
      case .formats: PackageResources.formats_txt
      case .hooks: PackageResources.hooks_txt
      case .keys: PackageResources.keys_txt
      case .playlists: PackageResources.playlists_txt
      case .queries: PackageResources.queries_txt
      case .queue: PackageResources.queue_txt
      case .ratings: PackageResources.ratings_txt
      case .replaygain: PackageResources.replaygain_txt
      case .screen: PackageResources.screen_txt
      case .screens: PackageResources.screens_txt
      case .scrobbling: PackageResources.scrobbling_txt
      case .server: PackageResources.server_txt
      case .sound: PackageResources.sound_txt
      }
    return String(decoding: bytes, as: UTF8.self).replacing("{keys}\n", with: Self.keyList)
      .replacing("{actions}\n", with: Self.actionList)
  }

  /// The actions of the full screen with their keys, one per line.
  private static var actionList: String {
    ScreenAction.allCases.map { action in
      let name = action.rawValue + String(repeating: " ", count: max(1, 18 - action.rawValue.count))
      return "    \(name)\(action.defaultKeys.joined(separator: " "))\n"
    }.joined()
  }

  /// The keys that control the player on a terminal that cannot be redrawn, one action per line.
  private static var keyList: String {
    ScreenBindings().plainLines.map { "    \($0)\n" }.joined()
  }
}
