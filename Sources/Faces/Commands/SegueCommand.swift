// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort
import Screens
import Tagging

/// The root of the command line, `segue COMMAND`.
struct SegueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segue", abstract: "Gapless music player for the terminal.",
    discussion: """
      Topics for `segue help TOPIC`: formats, hooks, keys, playlists, queries, queue, ratings, replaygain, screen, \
      screens, scrobbling, server, sound.
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Play",
        subcommands: [
          PlayCommand.self, ResumeCommand.self, PauseCommand.self,
          ToggleCommand.self,
          NextCommand.self, PreviousCommand.self, StopCommand.self, SeekCommand.self,
          ChapterCommand.self, LoopCommand.self, SpeedCommand.self, VolumeCommand.self,
          ReplayGainCommand.self, EqualizerCommand.self, CrossfadeCommand.self, SleepCommand.self,
        ]),
      CommandGroup(name: "Queue", subcommands: [QueueCommand.self, PlaylistCommand.self, ModeCommand.self]),
      CommandGroup(
        name: "Library",
        subcommands: [
          ScanCommand.self, AlbumsCommand.self, TracksCommand.self, ArtistsCommand.self, GenresCommand.self,
          SearchCommand.self, RateCommand.self, LikeCommand.self, RatingsCommand.self, HistoryCommand.self,
          StatsCommand.self, ScrobbleCommand.self, ProblemsCommand.self, GainCommand.self,
        ]),
      CommandGroup(
        name: "Player",
        subcommands: [
          FullScreenCommand.self, StatusCommand.self, NowCommand.self, InfoCommand.self, LyricsCommand.self,
          WatchCommand.self, ReplCommand.self, ServeCommand.self, QuitPlayerCommand.self,
        ]),
      CommandGroup(
        name: "Setup",
        subcommands: [
          OutputsCommand.self, SetCommand.self, ConfigCommand.self, DoctorCommand.self, CompletionsCommand.self,
        ]),
    ])
}

extension SegueCommand {
  /// The version of the program.
  static let version = "0.1.0"
  /// The date of the release, as manual pages show it.
  static let releaseDay = "November 22, 2026"

  /// The options that the root command itself accepts.
  private static let ownOptions = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help", ShellCompletion.word,
  ]

  /// Returns whether `words` contain no command, and do not begin with an option of the root command itself.
  static func namesNoCommand(_ words: [String]) -> Bool {
    guard let first = words.first else { return true }
    return first.hasPrefix("-") && !ownOptions.contains(first)
      && !configuration.subcommands.contains { words.contains($0.configuration.commandName ?? "") }
  }

  /// Returns the command for the arguments `words`.
  ///
  /// If the command's own parser accepts its arguments, the tree of all commands is not built: building it would double
  /// the start-up time. A command that has a `_superCommandName` cannot generate completion scripts.
  static func command(_ words: [String]) throws -> any ParsableCommand {
    if words.count == 2, words[0] == "--generate-completion-script" {
      return try CompletionsCommand.parseAsRoot([words[1]])
    }
    if let first = words.first, first.hasPrefix("-"), !ownOptions.contains(first) {
      throw PlayerError(
        .usage,
        namesNoCommand(words)
          ? "there is no terminal for the full screen: name a command, as in `segue albums \(words.joined(separator: " "))`"
          : "\(first) must follow the command, as in `segue play ALBUM \(first)`")
    }
    if words == ["--version"] { throw CleanExit.message(version) }
    if let topic = HelpTopic(words) { throw CleanExit.message(topic.text(in: self)) }
    let type = configuration.subcommands.first { $0.configuration.commandName == words.first }
    if let type, let command = try? type.parseAsRoot(Array(words.dropFirst())) as? any SessionCommand {
      return command
    }
    try CommandNames.check(words, in: self)
    return try parseAsRoot(words)
  }
}

/// Checks command names, and suggests a similar one for an unknown name. The argument parser would report unexpected
/// arguments instead.
enum CommandNames {
  /// Checks that `words` begin with the name of a subcommand of `root` and, if that has subcommands, with the name of
  /// one of them.
  ///
  /// - Throws: `PlayerError` with a suggestion if a name is unknown.
  static func check(_ words: [String], in root: any ParsableCommand.Type) throws(PlayerError) {
    let isHelp = words.first == "help"
    var type = root
    var path: [String] = []
    for word in isHelp ? words.dropFirst() : words[...] {
      if word.hasPrefix("-") || type.configuration.subcommands.isEmpty || word == "help" && path.isEmpty {
        return
      }
      guard let next = type.configuration.subcommands.first(where: { $0.commandNames.contains(word) }) else {
        throw unknown(word, after: path, type, in: root)
      }
      type = next
      path.append(word)
    }
  }

  private static func unknown(
    _ word: String, after path: [String], _ type: any ParsableCommand.Type, in root: any ParsableCommand.Type
  ) -> PlayerError {
    let prefix = root == SegueCommand.self ? "segue " : ""
    if path.isEmpty, let error = CommandHints.error(word, prefix: prefix) { return error }
    let visible = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let names = visible.flatMap { $0.commandNames } + (path.isEmpty ? ["help"] : [])
    let command = (path + [word]).joined(separator: " ")
    let help = ["\(prefix)help"] + path
    let rootNames = root.configuration.subcommands.flatMap { $0.commandNames }
    let hint =
      CommandHints.hint(command, prefix: prefix, among: rootNames)
      ?? Likeness.nearest(to: word, in: names).first.map {
        "did you mean \"\((path + [names[$0]]).joined(separator: " "))\"?"
      }
      ?? "use `\(help.joined(separator: " "))` to list the commands"
    return PlayerError(.usage, "unknown command \"\(command)\"; \(hint)")
  }
}
