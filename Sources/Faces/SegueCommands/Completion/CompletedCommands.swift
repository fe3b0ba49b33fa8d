import MusicModel

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
