// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Equalising
import MusicModel
import PlayerPort
import UserSettings

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

extension CompletionSubject {
  /// Returns what can be typed after `arguments` of `command`, which do not include options.
  static func argument(of command: any ParsableCommand.Type, after arguments: [String]) -> CompletionSubject {
    switch command {
    case is AlbumsCommand.Type, is TracksCommand.Type, is ArtistsCommand.Type, is GenresCommand.Type: .query
    case is QueueAddCommand.Type, is GainCommand.Type: .album
    case is OutputsPreferCommand.Type: .output
    case is PlayCommand.Type where arguments.count == 1: .track(album: arguments[0])
    case is QueueInsertCommand.Type where !arguments.isEmpty, is PlaylistAddCommand.Type where !arguments.isEmpty:
      .album
    case is QueueMoveCommand.Type where !arguments.isEmpty: .choice(["next", "end", "last"])
    case is ModeCommand.Type where arguments.count == 1: .choice(ModeName(rawValue: arguments[0])?.values ?? [])
    case is FilterCommand.Type: filter(after: arguments)
    case is SetCommand.Type: setting(after: arguments)
    default: arguments.isEmpty ? firstArgument(of: command) : .nothing
    }
  }

  private static func firstArgument(of command: any ParsableCommand.Type) -> CompletionSubject {
    switch command {
    case is PlayCommand.Type: .album
    case is QueueUseCommand.Type, is QueueForgetCommand.Type: .queue
    case is QueueInsertCommand.Type: .choice(["next", "end"])
    case is QueueMoveCommand.Type, is QueuePlayCommand.Type: .choice(["last"])
    case is QueueSortCommand.Type: .choice(QueueSortKey.allCases.map(\.rawValue))
    case is ModeCommand.Type: .choice(ModeName.allCases.map(\.rawValue))
    case is PlaylistPlayCommand.Type, is PlaylistLoadCommand.Type, is PlaylistShowCommand.Type,
      is PlaylistAddCommand.Type, is PlaylistSaveCommand.Type, is PlaylistRenameCommand.Type,
      is PlaylistDeleteCommand.Type:
      .list
    case is OutputsUseCommand.Type: .output
    case is EqualizerShowCommand.Type, is EqualizerUseCommand.Type, is EqualizerDeleteCommand.Type: .equaliser
    case is EqualizerImportCommand.Type: .path
    case is EqualizerCrossfeedCommand.Type: .choice(Crossfeed.allCases.map(\.rawValue) + ["off"])
    case is EqualizerBypassCommand.Type: .choice(["on", "off"])
    case is ReplayGainCommand.Type: OptionValue.subject(of: "--replay-gain")
    case is ConfigCommand.Type: .choice(SettingName.allCases.map(\.rawValue))
    case is SpeedCommand.Type: .choice(["0.75", "1.25", "1.5", "2", "off"])
    case is ChapterCommand.Type: .choice(["next", "previous"])
    case is LoopCommand.Type: .choice(["mark", "off"])
    case is CrossfadeCommand.Type, is SleepCommand.Type: .choice(["off"])
    case is CompletionsCommand.Type: .choice(CompletedShell.allCases.map(\.rawValue))
    default: .nothing
    }
  }

  private static func filter(after arguments: [String]) -> CompletionSubject {
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

  private static func setting(after arguments: [String]) -> CompletionSubject {
    var values = SettingsTable.byName.mapValues(\.kind.words)
    values["volume"] = []
    values["stop-after"] = ModeName.stopAfter.values
    guard arguments.count == 1, let words = values[arguments[0]] else { return .assignment(values) }
    return .choice(words)
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
