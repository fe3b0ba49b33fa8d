// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import MusicModel
import PlayerPort
import UserSettings

/// A command whose arguments can be completed.
protocol CompletedCommand: SessionCommand {
  /// Returns what can be typed after `arguments`, which do not include options.
  static func subject(after arguments: [String]) -> CompletionSubject
}

/// What the word at the cursor can be completed to.
enum CompletionSubject: Equatable {
  case nothing
  case words([CompletionWord])
  /// An assignment `NAME=VALUE` to one of these names, each with the words that are its values.
  case assignment([String: [String]])
  /// The path of a file or directory.
  case path
  /// The path of a directory.
  case directory
  /// The name of an album.
  case album
  /// A track of the album with this name.
  case track(album: String)
  /// The name of an audio output.
  case output
  /// The name of a saved playlist.
  case list
  /// The name of a queue.
  case queue
  /// The name of a profile of the equaliser, or `off`.
  case equaliser
  case query
  /// The name of a field in a query, before the colon.
  case queryField
  /// A value of this field in a query, after the colon.
  case queryValue(LibraryQuery.TextField)
  /// A value of a filter. All arguments from the index `from` are part of it.
  case filterValue(LibraryFilters.Kind, from: Int)
  /// A filter value that is already selected. All arguments from the index `from` are part of it.
  case chosenFilterValue(LibraryFilters.Kind, from: Int)

  static func choice(_ names: [String]) -> CompletionSubject { .words(names.map { CompletionWord($0) }) }

  /// Whether this is the value of a field in a query.
  var isQueryValue: Bool {
    if case .queryValue = self { true } else { false }
  }

  /// Whether completion compares names literally, including punctuation, so that only names with the typed prefix
  /// match.
  var isLiteral: Bool {
    switch self {
    case .nothing, .words, .assignment, .path, .directory, .output, .query, .queryField: true
    case .album, .track, .list, .queue, .equaliser, .queryValue, .filterValue, .chosenFilterValue: false
    }
  }
}

/// A word that can be typed.
struct CompletionWord: Equatable {
  let name: String
  /// A description; empty if the name needs none.
  let note: String

  init(_ name: String, note: String = "") {
    self.name = name
    self.note = note
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

extension QueueUseCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .queue : .nothing }
}

extension QueueForgetCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .queue : .nothing }
}

extension OutputsUseCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .output : .nothing }
}

extension OutputsPreferCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { .output }
}

extension EqualizerShowCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .equaliser : .nothing }
}

extension EqualizerUseCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .equaliser : .nothing }
}

extension EqualizerDeleteCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .equaliser : .nothing }
}

extension EqualizerImportCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .path : .nothing }
}

extension EqualizerCrossfeedCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(Crossfeed.allCases.map(\.rawValue) + ["off"]) : .nothing
  }
}

extension EqualizerBypassCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["on", "off"]) : .nothing
  }
}

extension PlaylistPlayCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension PlaylistLoadCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension PlaylistShowCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension PlaylistAddCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .album }
}

extension PlaylistSaveCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension PlaylistRenameCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject { arguments.isEmpty ? .list : .nothing }
}

extension PlaylistDeleteCommand: CompletedCommand {
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

extension SpeedCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["0.75", "1.25", "1.5", "2", "off"]) : .nothing
  }
}

extension CrossfadeCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["off"]) : .nothing
  }
}

extension ChapterCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["next", "previous"]) : .nothing
  }
}

extension LoopCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["mark", "off"]) : .nothing
  }
}

extension SleepCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(["off"]) : .nothing
  }
}

/// The values that options take.
enum OptionValue {
  /// Returns what can be typed as the value of the option `name`, which includes the dashes. An option has the same
  /// meaning in all commands.
  static func subject(of name: String) -> CompletionSubject {
    switch name {
    case "--library", "--data-dir", "--state-dir": .directory
    case "--socket", "--passwords", "--tap": .path
    case "--sort": .choice(LibraryOrder.Key.allCases.map(\.rawValue))
    case "--replay-gain": .choice(ReplayGainSettings.Mode.allCases.map(\.rawValue))
    case "--clipping": .choice(ReplayGainSettings.Clipping.allCases.map(\.rawValue))
    case "--on-format-change": .choice(["reopen", "resample"])
    case "--depth": .choice(["16", "24", "32"])
    case "--sleep-after", "--after": .choice(["chapter", "track", "album", "queue"])
    case "--color": .choice(ColourChoice.allCases.map(\.rawValue))
    case "--output": .output
    case "--profile": .equaliser
    default: .nothing
    }
  }
}
