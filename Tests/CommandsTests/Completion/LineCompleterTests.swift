// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import TestSupport
import Testing

@testable import Commands
@testable import Terminal
@testable import UserSettings

struct LineCompleterTests {
  private let completer = LineCompleter(
    FakeCompletions(
      albumNames: [
        "Kind of Blue", "Kind of Magic", "A Kind of Hush", "Blue", "Joni Mitchell/Weezer", "Other/Weezer",
        "Say \"Hi\"", "Don't", "\"It's\"", "back\\slash", "Œuvres", "夜曲", "夜 の 歌", "Two\nLines", "#1",
      ],
      trackNames: [
        "Kind of Blue": ["So What", "Freddie Freeloader", "Blue in Green", "So Near"],
        "Blue": ["1", "2", "Same", "Same", "-30-"],
      ],
      valueNames: [
        .artist: ["Coltrane", "Miles Davis", "Miles Okazaki", "Sinéad O'Connor", "The \"X\""],
        .genre: ["Hard Bop", "Hard Rock", "Jazz"], .decade: ["1950s", "1960s"], .format: ["flac"],
      ], chosenFilters: [.genre: ["Jazz", "Hard Bop"]], playlistNames: ["Evening", "Late Evening", "夜"],
      directoryEntries: [
        "~/": ["Music/", ".cache/", "My Songs/", "a.flac"], "~/Music/": ["Low/", "low.mp3", "one.flac"],
        "./": ["it's.flac"],
      ]))

  /// Returns the line after Tab was pressed in `text`, with "|" as the cursor; `nil` if nothing is inserted.
  private func completed(_ text: String) -> String? {
    let (line, cursor, completion) = complete(text)
    guard let insertion = completion.insertion else { return nil }
    let before = line[..<cursor].unicodeScalars.dropLast(completion.countBefore)
    let after = line[cursor...].unicodeScalars.dropFirst(completion.countAfter)
    return String(before) + insertion + "|" + String(after)
  }

  /// Returns the line and the cursor of `text`, in which "|" is the cursor, and their completion.
  private func complete(_ text: String) -> (line: String, cursor: String.Index, LineCompletion) {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let line = parts.joined()
    let cursor = line.index(line.startIndex, offsetBy: parts[0].count)
    return (line, cursor, completer.completion(of: line, cursor: cursor))
  }

  @Test(arguments: [
    ("pla|", "play|"), ("PLAYL|", "playlist |"), ("ex|", "exit |"), ("  vol|", "  volume |"), ("p|", nil),
    ("re|", nil), ("he|", "help |"),
    ("zzz|", nil), ("# pl|", nil), ("pl| x", "play| x"), ("\"playl|", "\"playlist\" |"), ("help pla|", "help play|"),
    ("help paus|", "help pause |"),
    ("help quer|", "help queries |"),
    ("albums --li|", nil), ("albums --lib|", "albums --library |"), ("albums --js|", "albums --json |"),
    ("zzz --js|", nil), ("volume 3|", nil), ("filter g|", "filter genre |"),
    ("filter re|", "filter remove |"),
    ("filter clear de|", "filter clear decade |"), ("queue sh|", "queue shuffle |"), ("queue s|", nil),
    ("queue ju|", "queue jump |"), ("queue shuffle --al|", "queue shuffle --albums |"),
    ("queue --js|", "queue --json |"),
    ("queue sort du|", "queue sort duration |"), ("queue insert n|", "queue insert next |"),
    ("queue move 3 e|", "queue move 3 end |"), ("queue zzz a|", nil),
    ("queue --limit 3 li|", "queue --limit 3 list |"),
    ("mode ran|", "mode random |"), ("mode random al|", "mode random albums |"), ("mode zzz a|", nil),
    ("set them|", "set theme=|"), ("set theme=l|", "set theme=light |"), ("set theme li|", "set theme light |"),
    ("set crossfade-albums=t|", "set crossfade-albums=true |"), ("set nothing=t|", nil), ("set volume=3|", nil),
    ("set random=albums stop-after=al|", "set random=albums stop-after=album |"),
    ("help queue ad|", "help queue add |"), ("mode random albums x|", nil),
  ])
  func `Commands and options are completed`(line: String, result: String?) {
    #expect(completed(line) == result)
  }

  @Test(arguments: [
    ("play blu|", "play Blue|"), ("play Blue|", nil), ("play kind|", "play \"Kind of |"),
    ("play kind of|", nil),
    ("play \"kind of b|", "play \"Kind of Blue\" |"), ("play 'kind of b|", "play 'Kind of Blue' |"),
    ("play kind\\ of\\ b|", "play \"Kind of Blue\" |"), ("play \"kind of b|\"", "play \"Kind of Blue\" |"),
    ("play \"kind of b|\" 3", "play \"Kind of Blue\"| 3"), ("play kind\" of b|", "play \"Kind of Blue\" |"),
    ("play hush|", "play \"A Kind of Hush\" |"), ("play weezer|", nil),
    ("play other|", "play Other/Weezer |"),
    ("play oeu|", "play Œuvres |"), ("play œ|", "play Œuvres |"), ("play ＢＬＵ|", "play Blue|"),
    ("play 夜曲|", "play 夜曲 |"), ("play 夜|", nil), ("play \"夜 の|", "play \"夜 の 歌\" |"),
    ("play say|", "play 'Say \"Hi\"' |"), ("play \"say|", "play \"Say \\\"Hi\\\"\" |"),
    ("play don|", "play \"Don't\" |"), ("play 'don|", "play 'Don'\\''t' |"),
    ("play it|", "play \"\\\"It's\\\"\" |"), ("play back|", "play \"back\\\\slash\" |"),
    ("play two|", "play \"Two Lines\" |"), ("play 1|", "play \"#1\" |"), ("play blue| 夜", "play Blue| 夜"),
    ("play --volume 50 hush|", "play --volume 50 \"A Kind of Hush\" |"), ("play --volume blu|", nil),
    ("queue add oeu|", "queue add Œuvres |"),
    ("queue add Œuvres hush|", "queue add Œuvres \"A Kind of Hush\" |"),
    ("queue add --next hush|", "queue add --next \"A Kind of Hush\" |"),
    ("queue insert 3 oeu|", "queue insert 3 Œuvres |"),
    ("queue add --library x oeu|", "queue add --library x Œuvres |"),
    ("queue add ~/mu|", "queue add ~/Music/|"),
    ("playlist load late|", "playlist load \"Late Evening\" |"), ("playlist add 夜|", "playlist add 夜 |"),
    ("playlist delete eve|", "playlist delete Evening|"), ("playlist show eve|", "playlist show Evening|"),
    ("playlist load Evening |", nil),
    ("play --pause-on-loss oeu|", "play --pause-on-loss Œuvres |"), ("play zzz|", nil), ("play ?|", nil),
  ])
  func `Albums are completed, and quoted if needed`(line: String, result: String?) {
    #expect(completed(line) == result)
  }

  @Test(arguments: [
    ("play \"Kind of Blue\" fre|", "play \"Kind of Blue\" \"Freddie Freeloader\" |"),
    ("play \"Kind of Blue\" so|", "play \"Kind of Blue\" \"So |"),
    ("play \"Kind of Blue\" green|", "play \"Kind of Blue\" \"Blue in Green\" |"),
    ("play Blue 30|", "play Blue 5 |"), ("play Zzz so|", nil), ("play Blue 1 x|", nil),
  ])
  func `Tracks of the album are completed`(line: String, result: String?) {
    #expect(completed(line) == result)
  }

  @Test func `A track with an ambiguous title is inserted by number`() {
    #expect(complete("play Blue |").2.choices == ["1", "2", "Same", "Same", "-30-"])
    #expect(completed("play Blue same|") == nil)
  }

  @Test(arguments: [
    ("albums artist:col|", "albums artist:Coltrane |"),
    ("albums artist:miles|", "albums 'artist:\"Miles |"),
    ("albums 'artist:\"miles d|", "albums 'artist:\"Miles Davis\"' |"),
    ("albums artist:\"miles d|", "albums 'artist:\"Miles Davis\"' |"),
    ("albums 'artist:\"miles d|'", "albums 'artist:\"Miles Davis\"' |"),
    ("albums artist:=col|", "albums artist:=Coltrane |"),
    ("albums -artist:col|", "albums -artist:Coltrane |"),
    ("albums '(year:1957 or artist:col|", "albums '(year:1957 or artist:Coltrane' |"),
    ("albums artist:sin|", "albums \"artist:\\\"Sinéad O'Connor\\\"\" |"),
    ("albums artist:x|", "albums 'artist:\"The \\\"X\\\"\"' |"),
    ("tracks live ALBUM:oeu|", "tracks live ALBUM:Œuvres |"),
    ("tracks album:magic|", "tracks 'album:\"Kind of Magic\"' |"),
    ("genres genre:hard|", "genres 'genre:\"Hard |"), ("artists format:f|", "artists format:flac |"),
    ("albums albuma|", "albums albumartist:|"), ("albums year:19|", nil), ("albums zzz:a|", nil),
    ("albums 'artist:\"Miles Davis\"|", nil),
  ])
  func `Query values are completed after their fields`(line: String, result: String?) {
    #expect(completed(line) == result)
  }

  @Test(arguments: [
    ("filter genre j|", "filter genre Jazz |"), ("filter genre hard b|", "filter genre \"Hard Bop\" |"),
    ("filter genre hard|", "filter genre \"Hard |"), ("filter decade 195|", "filter decade 1950s |"),
    ("filter remove genre ha|", "filter remove genre \"Hard Bop\" |"),
    ("filter remove artist c|", nil), ("filter zzz a|", nil), ("filter clear genre j|", nil),
  ])
  func `Filters are completed`(line: String, result: String?) {
    #expect(completed(line) == result)
  }

  @Test(arguments: [
    ("play ~/mu|", "play ~/Music/|"), ("play ~/my|", "play \"~/My Songs/|"), ("play ~/.|", "play ~/.cache/|"),
    ("play ~/Music/o|", "play ~/Music/one.flac |"), ("play ~/Music/l|", "play ~/Music/Low|"),
    ("play ./i|", "play \"./it's.flac\" |"), ("albums --library ~/mu|", "albums --library ~/Music/|"),
    ("play /zzz|", nil),
  ])
  func `Paths are completed`(line: String, result: String?) {
    #expect(completed(line) == result)
  }

  @Test func `Prefix matches come before matches within a name`() {
    #expect(complete("play kind|").2.choices == ["Kind of Blue", "Kind of Magic", "A Kind of Hush"])
    #expect(complete("play ~/|").2.choices == ["Music/", "My Songs/", "a.flac"])
    #expect(complete("filter remove genre |").2.choices == ["Jazz", "Hard Bop"])
  }

  @Test func `Every inserted word is parsed back as the original text`() throws {
    var generator = SeededGenerator(seed: 11)
    let characters = ["a", " ", "\"", "\\", "'", "#", "夜", "\t", "👩‍👩‍👧‍👦", "e\u{301}", "-", ":"]
    for _ in 0..<3_000 {
      let name = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        characters.randomElement(using: &generator) ?? ""
      }.joined()
      for mark in [nil, "\"", "'"] as [Character?] {
        let word = try #require(WordQuoting.word(name, mark: mark, isOpen: false))
        #expect(try LineTokenizer.words("play \(word) x") == ["play", name, "x"])
        let open = try #require(WordQuoting.word(name, mark: mark, isOpen: true))
        let unfinished = try #require(UnfinishedWord("play " + open, cursor: ("play " + open).endIndex))
        #expect(unfinished.text == name)
      }
    }
  }

  @Test func `Random input never traps`() {
    var generator = SeededGenerator(seed: 12)
    for word in ["", "play ", "albums artist:", "filter genre "] {
      for _ in 0..<300 {
        let line = word + generator.hostileText()
        let cursor = line.indices.randomElement(using: &generator) ?? line.endIndex
        _ = completer.completion(of: line, cursor: cursor)
      }
    }
  }
}

/// Completions from fixed lists of names.
struct FakeCompletions: CompletionSource {
  func equaliserNames() -> [String] { ["HD 650", "Speakers", "off"] }

  var albumNames: [String] = []
  var trackNames: [String: [String]] = [:]
  var valueNames: [LibraryFilters.Kind: [String]] = [:]
  var chosenFilters: [LibraryFilters.Kind: [String]] = [:]
  var playlistNames: [String] = []
  var directoryEntries: [String: [String]] = [:]

  private func matching(_ names: [String], _ text: String) -> [String] {
    let typed = TypedBeginning(text)
    return names.filter { typed.rank(of: $0) == .name } + names.filter { typed.rank(of: $0) == .word }
  }

  func albums(_ text: String) -> [String] { matching(albumNames, text) }

  func titles(_ text: String) -> [String] { matching(albumNames, text) }

  func tracks(ofAlbum album: String) -> [Track] {
    (trackNames[album] ?? []).enumerated().map { Examples.track($1, number: $0 + 1) }
  }

  func listNames() -> [String] { playlistNames }
  func queueNames() -> [String] { ["default", "work"] }

  func values(of kind: LibraryFilters.Kind, _ text: String, isNarrowedByItself: Bool) -> [String] {
    matching(valueNames[kind] ?? [], text)
  }

  func chosenValues(of kind: LibraryFilters.Kind) -> [String] { chosenFilters[kind] ?? [] }

  func outputs() -> [CompletionWord] {
    [CompletionWord("pulse", note: "PulseAudio"), CompletionWord("wav:", note: "A WAV file")]
  }

  func names(inDirectory path: String) -> [String] { directoryEntries[path] ?? [] }
}
