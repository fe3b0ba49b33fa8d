import LibraryIndex
import MusicModel
import UnicodeText
import UserSettings

/// Says what a word that is being typed may become: at the prompt of the REPL as in a shell.
struct WordCompleter {
  /// The most candidates.
  static let limit = 200

  private typealias Candidate = CompletionCandidate

  let grammar: CommandGrammar
  let source: any CompletionSource

  /// What of `word` gives way, and to what it may, best first.
  func completion(of word: UnfinishedWord) -> (CompletionFragment, [CompletionCandidate]) {
    let fragment = fragment(word)
    let candidates = candidates(fragment)
    guard candidates.isEmpty, fragment.subject == .album else { return (fragment, candidates) }
    // Where no album is meant, a query may be.
    let query = CompletionFragment(word, .query, after: [])
    let fields = self.candidates(query)
    return fields.isEmpty ? (fragment, []) : (query, fields)
  }

  // MARK: What is typed

  private func fragment(_ word: UnfinishedWord) -> CompletionFragment {
    guard let name = word.before.first?.text else {
      return CompletionFragment(word, word.text.hasPrefix("-") ? .option(of: []) : .command, after: [])
    }
    guard var command = grammar.command(name) else { return CompletionFragment(word, .nothing, after: []) }
    var rest = word.before.dropFirst()
    if let second = rest.first, let inner = command.command(second.text) {
      command = inner
      rest = rest.dropFirst()
    }
    var arguments: [LineScanner.Word] = []
    var option: String?
    for argument in rest {
      if option != nil {
        option = nil
      } else if argument.text.hasPrefix("--") {
        option = command.options[argument.text]?.takesValue == true ? argument.text : nil
      } else {
        arguments.append(argument)
      }
    }
    if option == nil, word.text.hasPrefix("--"), let sign = word.text.firstIndex(of: "=") {
      let name = String(word.text[..<sign])
      let subject = command.options[name]?.takesValue == true ? OptionValue.subject(of: name) : .nothing
      return CompletionFragment(word, subject, after: arguments, behind: name + "=")
    }
    let subject: CompletionSubject =
      if let option {
        OptionValue.subject(of: option)
      } else if ["/", "./", "../", "~/"].contains(where: { word.text.hasPrefix($0) }) {
        .path
      } else if word.text.hasPrefix("--") || word.text == "-" {
        .option(of: word.before.prefix(rest.startIndex).map(\.text))
      } else if arguments.isEmpty, !command.commands.isEmpty {
        .commands(command.commands)
      } else {
        grammar.subject(of: command, after: arguments.map(\.text))
      }
    return CompletionFragment(word, subject, after: arguments)
  }

  // MARK: What there is

  private func candidates(_ fragment: CompletionFragment) -> [Candidate] {
    let typed = fragment.typed
    switch fragment.subject {
    case .nothing, .query: return []
    case .command: return commands(grammar.commands, fragment)
    case .commands(let commands): return self.commands(commands, fragment)
    case .option(let names):
      return ranked(options(names).sorted { $0.key < $1.key }.map { ($0, $1.abstract) }, fragment)
    case .choice(let choices): return ranked(choices, fragment)
    case .path, .directory:
      let names = source.names(inDirectory: fragment.directory).filter {
        (typed.hasPrefix(".") || !$0.hasPrefix(".")) && (fragment.subject == .path || $0.hasSuffix("/"))
      }
      return ranked(names, fragment)
    case .album: return asTheyCome(source.albums(typed), fragment)
    case .track(let album): return tracks(source.tracks(ofAlbum: album), fragment)
    case .output: return ranked(source.outputs(), fragment)
    case .list: return ranked(source.listNames(), fragment)
    case .queryField:
      let fields =
        LibraryQuery.TextField.allCases.map(\.rawValue) + LibraryQuery.NumberField.allCases.map(\.rawValue)
      return ranked((fields + ["added"]).map { $0 + ":" }, fragment)
    case .queryValue(let field):
      switch field {
      case .album: return asTheyCome(source.titles(typed), fragment)
      case .artist, .albumArtist: return values(.artist, fragment, isNarrowedByItself: true)
      case .genre: return values(.genre, fragment, isNarrowedByItself: true)
      case .format: return values(.format, fragment, isNarrowedByItself: true)
      case .anywhere, .title, .composer, .path: return []
      }
    case .filterValue(let kind, _): return values(kind, fragment, isNarrowedByItself: false)
    case .chosenFilterValue(let kind, _): return ranked(source.chosenValues(of: kind), fragment)
    }
  }

  /// The options of the command that these words name.
  private func options(_ names: [String]) -> [String: CommandGrammar.Option] {
    guard let name = names.first else { return grammar.options }
    guard var command = grammar.command(name) else { return [:] }
    for name in names.dropFirst() {
      if let inner = command.command(name) { command = inner }
    }
    return command.options
  }

  private func commands(_ commands: [CommandGrammar.Command], _ fragment: CompletionFragment) -> [Candidate] {
    ranked(commands.flatMap { command in command.names.map { ($0, command.abstract) } }, fragment)
  }

  private func values(
    _ kind: LibraryFilters.Kind, _ fragment: CompletionFragment, isNarrowedByItself: Bool
  ) -> [Candidate] {
    let values = source.values(of: kind, fragment.typed, isNarrowedByItself: isNarrowedByItself)
    return asTheyCome(values, fragment)
  }

  /// Names that the source has found already, and ordered.
  private func asTheyCome(_ names: [String], _ fragment: CompletionFragment) -> [Candidate] {
    bounded(names.map { Candidate($0, fragment.rank(of: $0) ?? .word) })
  }

  /// Those of `names` that answer, best first.
  private func ranked(_ names: [String], _ fragment: CompletionFragment) -> [Candidate] {
    ranked(names.map { ($0, "") }, fragment)
  }

  private func ranked(_ names: [(String, note: String)], _ fragment: CompletionFragment) -> [Candidate] {
    sorted(names.compactMap { name, note in fragment.rank(of: name).map { Candidate(name, $0, note: note) } })
  }

  /// Tracks by their titles; by disc and number where a title is no name for one of them alone.
  private func tracks(_ tracks: [Track], _ fragment: CompletionFragment) -> [Candidate] {
    let finder = TrackFinder(tracks)
    let found = tracks.indices.lazy.compactMap { index -> Candidate? in
      let track = tracks[index]
      guard let rank = fragment.rank(of: track.title) else { return nil }
      let number = track.number?.number ?? index + 1
      let names = [track.title.typable, "\(number)", "\(track.disc?.number ?? 1)-\(number)"]
      let name = names.first { !$0.hasPrefix("-") && finder.find($0) == .found(index) }
      return name.map { Candidate(track.title, text: $0, rank) }
    }
    return sorted(Array(found.prefix(Self.limit)))
  }

  private func sorted(_ candidates: [Candidate]) -> [Candidate] {
    bounded(candidates.filter { $0.rank == .name } + candidates.filter { $0.rank == .word })
  }

  /// The first of those that can be typed, each once.
  private func bounded(_ candidates: [Candidate]) -> [Candidate] {
    var seen: Set<String> = []
    return candidates.prefix(Self.limit).compactMap { candidate in
      var candidate = candidate
      candidate.text = candidate.text.typable
      return !candidate.text.isEmpty && seen.insert(candidate.text).inserted ? candidate : nil
    }
  }
}

/// What the word that is being typed may become.
struct CompletionCandidate: Equatable {
  /// What it is called. Not yet safe for a terminal.
  let name: String
  /// What is typed to mean it.
  var text: String
  /// How well it answers.
  let rank: TypedBeginning.Rank
  /// What it is, where its name does not say that; may be empty.
  let note: String

  /// The candidate `name`, typed as `text` where that is something else.
  init(_ name: String, text: String? = nil, _ rank: TypedBeginning.Rank, note: String = "") {
    self.name = name
    self.text = text ?? name
    self.rank = rank
    self.note = note
  }
}

/// What was typed of a name, to be compared with names without regard to case, accents and width.
struct TypedBeginning {
  /// How well a name answers, best first.
  enum Rank: Int, Comparable {
    /// The name begins so.
    case name
    /// A word in it does.
    case word

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  private let words: String
  private let isBlank: Bool

  /// What is meant by `text`.
  init(_ text: String) {
    let words = text.searchWords
    self.words = text.last?.isWhitespace ?? true ? words : String(words.dropLast())
    isBlank = text.allSatisfy(\.isWhitespace)
  }

  /// How well `name` answers; `nil` where it does not.
  func rank(of name: String) -> Rank? {
    if isBlank { return .name }
    if words.isEmpty { return nil }
    let other = name.searchWords
    return other.hasPrefix(words) ? .name : other.contains(words) ? .word : nil
  }
}
