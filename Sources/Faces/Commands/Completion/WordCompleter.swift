// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import UnicodeText
import UserSettings

/// Finds the candidates for the word that is being typed, in the REPL or in a shell.
struct WordCompleter {
  /// The maximum number of candidates.
  static let limit = 200

  private typealias Candidate = CompletionCandidate

  let grammar: CommandGrammar
  let source: any CompletionSource

  /// Returns the part of `word` that a completion replaces, and the candidates for it, best first.
  func completion(of word: UnfinishedWord) -> (CompletionFragment, [CompletionCandidate]) {
    let fragment = fragment(word)
    let candidates = candidates(fragment)
    guard candidates.isEmpty, fragment.subject == .album else { return (fragment, candidates) }
    // If no album matches, the word may be the start of a query.
    let query = CompletionFragment(word, .query, after: [])
    let fields = self.candidates(query)
    return fields.isEmpty ? (fragment, []) : (query, fields)
  }

  // MARK: What is typed

  private func fragment(_ word: UnfinishedWord) -> CompletionFragment {
    var rest = word.before[...]
    var command: CommandGrammar.Command?
    if let name = rest.first?.text, !name.hasPrefix("-") {
      guard let named = grammar.command(name) else { return CompletionFragment(word, .nothing, after: []) }
      rest = rest.dropFirst()
      let subcommand = rest.first.flatMap { named.command($0.text) }
      if subcommand != nil { rest = rest.dropFirst() }
      command = subcommand ?? named
    }
    lazy var options = grammar.options(of: command)
    var arguments: [LineScanner.Word] = []
    var option: String?
    for argument in rest {
      if option != nil {
        option = nil
      } else if argument.text.hasPrefix("--") {
        option = options[argument.text]?.takesValue == true ? argument.text : nil
      } else {
        arguments.append(argument)
      }
    }
    if option == nil, word.text.hasPrefix("--"), let sign = word.text.firstIndex(of: "=") {
      let name = String(word.text[..<sign])
      let subject = options[name]?.takesValue == true ? OptionValue.subject(of: name) : .nothing
      return CompletionFragment(word, subject, after: arguments, head: name + "=")
    }
    let subject: CompletionSubject =
      if let option {
        OptionValue.subject(of: option)
      } else if word.before.isEmpty, !word.text.hasPrefix("-") {
        .words(grammar.commands.flatMap(\.words))
      } else if ["/", "./", "../", "~/"].contains(where: { word.text.hasPrefix($0) }) {
        .path
      } else if word.text.hasPrefix("--") || word.text == "-" {
        .words(options.sorted { $0.key < $1.key }.map { CompletionWord($0.key, note: $0.value.abstract) })
      } else if arguments.isEmpty, let commands = command?.commands, !commands.isEmpty {
        .words(commands.flatMap(\.words))
      } else if let command {
        grammar.subject(of: command, after: arguments.map(\.text))
      } else {
        .nothing
      }
    if case .assignment(let values) = subject, let sign = word.text.firstIndex(of: "=") {
      let name = String(word.text[..<sign])
      return CompletionFragment(word, .choice(values[name] ?? []), after: arguments, head: name + "=")
    }
    return CompletionFragment(word, subject, after: arguments)
  }

  // MARK: Candidates

  private func candidates(_ fragment: CompletionFragment) -> [Candidate] {
    let typed = fragment.typed
    switch fragment.subject {
    case .nothing, .query: return []
    case .words(let words): return ranked(words, fragment)
    case .assignment(let values): return ranked(values.keys.sorted().map { $0 + "=" }, fragment)
    case .path, .directory:
      let names = source.names(inDirectory: fragment.directory).filter {
        (typed.hasPrefix(".") || !$0.hasPrefix(".")) && (fragment.subject == .path || $0.hasSuffix("/"))
      }
      return ranked(names, fragment)
    case .album: return inGivenOrder(source.albums(typed), fragment)
    case .track(let album): return tracks(source.tracks(ofAlbum: album), fragment)
    case .output: return ranked(source.outputs(), fragment)
    case .list: return ranked(source.listNames(), fragment)
    case .queue: return ranked(source.queueNames(), fragment)
    case .equaliser: return ranked(source.equaliserNames(), fragment)
    case .queryField:
      let fields =
        LibraryQuery.TextField.allCases.map(\.rawValue) + LibraryQuery.NumberField.allCases.map(\.rawValue)
        + LibraryQuery.DateField.allCases.map(\.rawValue)
      return ranked(fields.map { $0 + ":" }, fragment)
    case .queryValue(let field):
      switch field {
      case .album: return inGivenOrder(source.titles(typed), fragment)
      case .artist, .albumArtist: return values(.artist, fragment, isNarrowedByItself: true)
      case .genre: return values(.genre, fragment, isNarrowedByItself: true)
      case .format: return values(.format, fragment, isNarrowedByItself: true)
      case .anywhere, .shown, .title, .composer, .path: return []
      }
    case .filterValue(let kind, _): return values(kind, fragment, isNarrowedByItself: false)
    case .chosenFilterValue(let kind, _): return ranked(source.chosenValues(of: kind), fragment)
    }
  }

  private func values(
    _ kind: LibraryFilters.Kind, _ fragment: CompletionFragment, isNarrowedByItself: Bool
  ) -> [Candidate] {
    let values = source.values(of: kind, fragment.typed, isNarrowedByItself: isNarrowedByItself)
    return inGivenOrder(values, fragment)
  }

  /// Returns candidates for names that the source has already matched and sorted.
  private func inGivenOrder(_ names: [String], _ fragment: CompletionFragment) -> [Candidate] {
    bounded(names.map { Candidate($0, fragment.rank(of: $0) ?? .word) })
  }

  /// Returns candidates for those of `names` that match, best first.
  private func ranked(_ names: [String], _ fragment: CompletionFragment) -> [Candidate] {
    ranked(names.map { CompletionWord($0) }, fragment)
  }

  private func ranked(_ words: [CompletionWord], _ fragment: CompletionFragment) -> [Candidate] {
    sorted(words.compactMap { word in fragment.rank(of: word.name).map { Candidate(word.name, $0, note: word.note) } })
  }

  /// Returns candidates for tracks: their titles, or disc and track numbers if a title is ambiguous.
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

  /// Returns the first candidates that can be typed, without duplicates.
  private func bounded(_ candidates: [Candidate]) -> [Candidate] {
    var seen: Set<String> = []
    return candidates.prefix(Self.limit).compactMap { candidate in
      var candidate = candidate
      candidate.text = candidate.text.typable
      return !candidate.text.isEmpty && seen.insert(candidate.text).inserted ? candidate : nil
    }
  }
}

/// A candidate for the word that is being typed.
struct CompletionCandidate: Equatable {
  /// The name to display. Not yet escaped for a terminal.
  let name: String
  /// The text to insert if the candidate is chosen.
  var text: String
  /// How well the candidate matches the typed text.
  let rank: TypedBeginning.Rank
  /// A description, if the name does not suffice; otherwise empty.
  let note: String

  /// Creates the candidate `name`. `text` is the text to insert if it differs from the name.
  init(_ name: String, text: String? = nil, _ rank: TypedBeginning.Rank, note: String = "") {
    self.name = name
    self.text = text ?? name
    self.rank = rank
    self.note = note
  }
}

/// The typed beginning of a name. It is compared with names, ignoring case, accents and width.
struct TypedBeginning {
  /// How well a name matches the typed text. A lower rank is better.
  enum Rank: Int, Comparable {
    /// The name begins with the typed text.
    case name
    /// A word in the name begins with the typed text.
    case word

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  private let words: String
  private let isBlank: Bool

  init(_ text: String) {
    let words = text.searchWords
    self.words = text.last?.isWhitespace ?? true ? words : String(words.dropLast())
    isBlank = text.allSatisfy(\.isWhitespace)
  }

  /// Returns how well `name` matches; `nil` if it does not.
  func rank(of name: String) -> Rank? {
    if isBlank { return .name }
    if words.isEmpty { return nil }
    let other = name.searchWords
    return other.hasPrefix(words) ? .name : other.contains(words) ? .word : nil
  }
}
