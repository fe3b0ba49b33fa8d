// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import UserSettings

/// A command that declares what its arguments are, so that they can be completed.
protocol CompletedCommand: SessionCommand {
  /// Returns the kind of argument that follows `arguments`, which contain no options.
  static func subject(after arguments: [String]) -> CompletionSubject
}

/// The kind of thing that is being typed.
enum CompletionSubject: Equatable {
  /// Nothing that can be completed.
  case nothing
  /// A command.
  case command
  /// One of these subcommands.
  case commands([CommandGrammar.Command])
  /// An option of the command that these words name: a command, then a subcommand.
  case option(of: [String])
  /// One of these words.
  case choice([String])
  /// A path.
  case path
  /// The path of a directory.
  case directory
  /// An album.
  case album
  /// A track of the album with this name.
  case track(album: String)
  /// A sound output.
  case output
  /// A saved playlist.
  case list
  /// A query.
  case query
  /// A field name in a query, before the colon.
  case queryField
  /// A value of this field in a query, after the colon.
  case queryValue(LibraryQuery.TextField)
  /// A value of a filter. It spans all arguments from the index `from`.
  case filterValue(LibraryFilters.Kind, from: Int)
  /// A filter value that is already selected. It spans all arguments from the index `from`.
  case chosenFilterValue(LibraryFilters.Kind, from: Int)

  /// Whether it is the value of a query field.
  var isQueryValue: Bool {
    if case .queryValue = self { true } else { false }
  }

  /// Whether punctuation counts in what is typed, so that only names with exactly this prefix match.
  var isLiteral: Bool {
    switch self {
    case .nothing, .command, .commands, .option, .choice, .path, .directory, .output, .query, .queryField:
      true
    case .album, .track, .list, .queryValue, .filterValue, .chosenFilterValue: false
    }
  }
}

extension PlayCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    switch arguments.count {
    case 0: .album
    case 1: .track(album: arguments[0])
    default: .nothing
    }
  }
}

extension QueueAddCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .album }
}

extension QueueNextCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .album }
}

extension QueueInsertCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["next", "end"]) : .album
  }
}

extension QueueMoveCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["last"]) : .choice(["next", "end", "last"])
  }
}

extension QueueSortCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(QueueSortKey.allCases.map(\.rawValue)) : .nothing
  }
}

extension QueueSaveCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension QueueLoadCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension QueueListsCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension QueueAppendCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension QueueDeleteCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension ModeCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    switch arguments.count {
    case 0: .choice(ModeName.allCases.map(\.rawValue))
    case 1: .choice(ModeName(rawValue: arguments[0])?.values ?? [])
    default: .nothing
    }
  }
}

extension AlbumsCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .query }
}

extension TracksCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .query }
}

extension ArtistsCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .query }
}

extension GenresCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .query }
}

extension FilterCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    let kinds = LibraryFilters.Kind.allCases.map(\.rawValue)
    guard let first = arguments.first else { return .choice(kinds + ["remove", "clear"]) }
    if let kind = LibraryFilters.Kind(rawValue: first) { return .filterValue(kind, from: 1) }
    switch (first, arguments.count) {
    case ("clear", 1), ("remove", 1): return .choice(kinds)
    case ("remove", _):
      return LibraryFilters.Kind(rawValue: arguments[1]).map { .chosenFilterValue($0, from: 2) } ?? .nothing
    default: return .nothing
    }
  }
}

extension GainCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .album }
}

extension QueuePlayCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["last"]) : .nothing
  }
}

extension ReplayGainCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? OptionValue.subject(of: "--replay-gain") : .nothing
  }
}

extension ConfigCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(SettingName.allCases.map(\.rawValue)) : .nothing
  }
}

extension CrossfadeCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["off"]) : .nothing
  }
}

extension SleepCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["off"]) : .nothing
  }
}

/// The values that options take.
enum OptionValue {
  /// Returns the kind of value of the option `name`, given with its dashes. An option means the same in all commands.
  static func subject(of name: String) -> CompletionSubject {
    switch name {
    case "--library", "--data-dir", "--state-dir": .directory
    case "--socket", "--passwords": .path
    case "--sort": .choice(LibraryOrder.Key.allCases.map(\.rawValue))
    case "--replay-gain": .choice(ReplayGainSettings.Mode.allCases.map(\.rawValue))
    case "--clipping": .choice(ReplayGainSettings.Clipping.allCases.map(\.rawValue))
    case "--on-format-change": .choice(["reopen", "resample"])
    case "--depth": .choice(["16", "24", "32"])
    case "--sleep-after", "--after": .choice(["track", "album", "queue"])
    case "--color": .choice(ColourChoice.allCases.map(\.rawValue))
    case "--output": .output
    default: .nothing
    }
  }
}
