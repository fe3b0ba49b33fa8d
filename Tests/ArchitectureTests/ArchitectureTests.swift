// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

/// Rules about the order of the modules: a module imports only modules on lower floors, or to its left on the same
/// floor.
@Suite struct LayerTests {
  private static let libraryRooms = [
    "Tagging", "CueSheets", "Playlists", "AlbumGrouping", "LibraryIndex", "LibraryScanning",
  ]

  /// The floors from bottom to top, each with its modules from left to right.
  private static let floors: [(floor: String?, rooms: [String])] = [
    (
      "System",
      [
        "CStandard", "CLibrary", "CAO", "CSndfile", "CFLAC", "CMPG123", "CSoxrHeader", "CSoxr", "CEbur128Header",
        "CEbur128", "CPulseHeader", "CPulse", "CALSA",
        "CUchardetHeader", "CUchardet", "CEditline", "CUTF8Proc", "CPCRE2", "CExpat", "CIconv", "CProcess", "CGlibc",
        "CSQLite", "CFFTW", "CRubberBand", "CChromaprint", "CCurl", "CFFmpeg", "CTag", "CTagLib", "CSDBus",
        "CCoverDrawing",
      ]
    ),
    ("Base", ["Flux", "UnicodeText", "Platform", "TOMLFiles", "DatabaseFiles", "Network"]),
    ("Model", ["MusicModel"]),
    (
      "Sound",
      [
        "FormatSniffing", "AudioCore", "SndfileDecoding", "DSDDecoding", "DecodingProtocol", "FFmpegDecoding",
        "HelperDecoding", "Outputs", "AOPlayback", "PulsePlayback", "ALSAPlayback", "Resampling", "TimeStretching",
        "LoudnessMeasuring", "FourierTransform", "AcousticFingerprinting", "Equalising", "PlaybackEngine",
      ]
    ),
    ("Library", libraryRooms),
    ("Player", ["Scrobbling", "PlayerFlow", "QueueStorage", "PlayerPort"]),
    (
      "Faces",
      ["RemoteControl", "DesktopControl", "CoverDrawing", "UserSettings", "Terminal", "Screens", "Commands"]
    ),
    (nil, ["segue", "segue-decode", "segue-manual"]),
  ]
  private static let order = Dictionary(
    uniqueKeysWithValues: floors.flatMap(\.rooms).enumerated().map { ($1, $0) })

  /// Modules that some rooms must not import, although the order permits it.
  private static let forbidden: [(rooms: [String], modules: Set<String>)] = [
    (
      ["PlaybackEngine", "PlayerFlow"],
      [
        "CAO", "CPulse", "CALSA", "CSndfile", "Outputs", "AOPlayback", "PulsePlayback", "ALSAPlayback",
        "SndfileDecoding", "DSDDecoding", "HelperDecoding",
      ]
    ),
    (libraryRooms, ["Outputs", "AOPlayback", "PulsePlayback", "ALSAPlayback", "PlaybackEngine"]),
    (
      ["RemoteControl", "DesktopControl", "UserSettings", "Terminal", "Screens", "Commands"],
      [
        "PlaybackEngine", "Outputs", "AOPlayback", "PulsePlayback", "ALSAPlayback", "SndfileDecoding",
        "DSDDecoding", "HelperDecoding", "QueueStorage", "DatabaseFiles",
      ]
    ),
    (["Commands"], ["DesktopControl"]),
    (["DesktopControl", "CoverDrawing", "UserSettings", "Terminal", "Screens"], Set(libraryRooms.dropFirst(3))),
    (["CoverDrawing", "UserSettings", "Terminal", "Screens"], ["CueSheets", "Playlists"]),
  ]

  /// Modules that only a few rooms may import.
  private static let restricted: [(module: String, rooms: Set<String>)] = [
    ("GRDB", ["DatabaseFiles", "LibraryIndex", "LibraryScanning", "QueueStorage", "Scrobbling"]),
    ("Network", ["Scrobbling", "segue"]),
    ("GRDBSQLite", ["DatabaseFiles", "LibraryIndex"]),
    ("CSQLite", ["segue"]),
    ("CFFmpeg", ["FFmpegDecoding"]),
    ("FFmpegDecoding", ["segue-decode"]),
  ]

  /// Modules of the toolchain or the system, which need no dependency.
  private static let toolchain: Set<String> = [
    "CoreServices", "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
    "Testing",
  ]

  /// Returns the modules that each module in `directories` imports.
  private func imports(in directories: [String] = ["Sources"]) throws -> [String: Set<String>] {
    try directories.flatMap { try SourceTree.files(in: $0) }.reduce(into: [:]) { imports, file in
      imports[file.room, default: []].formUnion(file.imports)
    }
  }

  @Test func `Every directory of Sources is a floor, and each of its directories is a module in the order`() throws {
    let files = try SourceTree.files(in: "Sources", suffixes: ["swift", "c", "h", "cpp", "modulemap"])
    let found = Dictionary(grouping: files, by: \.floor).mapValues { Set($0.map(\.room)) }
    #expect(found == Dictionary(uniqueKeysWithValues: Self.floors.map { ($0.floor, Set($0.rooms)) }))
  }

  @Test func `Every floor has a one-page README that names its modules`() throws {
    for floor in Self.floors.compactMap(\.floor) {
      let page = try SourceTree.text("Sources/\(floor)/README.md")
      #expect(page.split(separator: "\n").count <= 60, "\(floor)")
      for room in Self.floors.first(where: { $0.floor == floor })?.rooms ?? [] {
        #expect(page.contains("`\(room)`"), "\(floor) does not mention \(room)")
      }
    }
  }

  @Test func `Every step of the documented call paths is an existing function`() throws {
    let page = try SourceTree.text("Sources/Player/README.md")
    let start = try #require(page.firstRange(of: "## The path of a command")).upperBound
    let steps = page[start...].matches(of: /`([A-Z]\w+)\.(\w+)`/).map { (String($0.output.1), String($0.output.2)) }
    #expect(steps.count > 40)
    // The functions of each type, from all files that declare or extend it.
    var functions: [Substring: Set<Substring>] = [:]
    for file in try SourceTree.files(in: "Sources") {
      let words = file.lines.map { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
      let declared = { (keywords: Set<Substring>) in
        Set(words.flatMap { zip($0, $0.dropFirst()).filter { keywords.contains($0.0) }.map(\.1) })
      }
      let functionNames = declared(["func"])
      for type in declared(["class", "struct", "enum", "extension"]) {
        functions[type, default: []].formUnion(functionNames)
      }
    }
    for (type, function) in steps {
      #expect(functions[type[...], default: []].contains(function[...]), "\(type).\(function)")
    }
  }

  @Test func `Package.swift declares every room, and all that it uses`() throws {
    let dependencies = try SourceTree.dependencies()
    let tests = Set(try SourceTree.files(in: "Tests").map(\.room)).filter { $0.hasSuffix("Tests") }
    #expect(tests.count > 30)
    #expect(Set(Self.order.keys).union(tests).subtracting(dependencies.keys) == [])
    let products = try SourceTree.text("Package.swift").matches(of: /"(\w+)": "[\w.-]+"/).map { String($0.output.1) }
    #expect(products.contains("SystemPackage"))
    for (target, modules) in dependencies {
      #expect(modules.subtracting(dependencies.keys).subtracting(products) == [], "\(target)")
    }
  }

  @Test func `No module depends on one above it, or to its right`() throws {
    for (room, dependencies) in try SourceTree.dependencies() {
      guard let position = Self.order[room] else { continue }
      for dependency in dependencies {
        if let other = Self.order[dependency] { #expect(other < position, "\(room) depends on \(dependency)") }
      }
    }
  }

  @Test func `A module declares no dependency that it does not import`() throws {
    let dependencies = try SourceTree.dependencies()
    for (room, imports) in try imports() {
      let ours = imports.filter { Self.order[$0] != nil && $0 != room }
      let declared = dependencies[room, default: []].filter { Self.order[$0] != nil }
      #expect(declared.subtracting(ours) == [], "\(room) declares what it does not import")
    }
  }

  @Test func `Every imported module is a declared dependency in Package.swift, and so is built first`() throws {
    let dependencies = try SourceTree.dependencies()
    for (target, imports) in try imports(in: ["Sources", "Tests"]) {
      guard let declared = dependencies[target] else {
        // These directories hold several targets.
        #expect(["Benchmarks", "Sanitizers"].contains(target))
        continue
      }
      let targets = Set(imports.map { $0.replacing("_", with: "-") })
      let missing = targets.subtracting(declared).subtracting(Self.toolchain).subtracting([target])
      #expect(missing == [], "\(target) imports what it does not declare")
    }
  }

  @Test func `Engine, library and faces do not import the modules that they must not know`()
    throws
  {
    let imports = try imports()
    for rule in Self.forbidden {
      for room in rule.rooms {
        #expect(imports[room, default: []].intersection(rule.modules) == [], "\(room) imports what it must not know")
      }
    }
  }

  @Test func `There is one way to open SQLite`() throws {
    let imports = try imports()
    for rule in Self.restricted {
      #expect(Set(imports.filter { $1.contains(rule.module) }.keys) == rule.rooms, "\(rule.module)")
    }
    for file in try SourceTree.files(in: "Sources") where file.room != "DatabaseFiles" {
      for opening in ["sqlite3_open", "DatabaseQueue(path", "DatabasePool(", "Configuration()"] {
        #expect(!file.lines.contains { $0.hasBytes(of: opening) }, "\(file.path) has \(opening)")
      }
    }
  }
}

/// Rules about what only the composition root does.
extension LayerTests {
  @Test func `No face constructs a server, a bus or a database, or names a library's own types`() throws {
    let call = /\b(RemoteServer|DesktopPlayer|StateDatabase)\(|\b(LibraryIndex|IndexedLibrary)\b/
    let names = ["RemoteServer", "DesktopPlayer", "StateDatabase", "LibraryIndex", "IndexedLibrary"]
    for file in try SourceTree.files(in: "Sources") where file.floor == "Faces" {
      for (number, line) in file.lines.enumerated() where !line.hasBytes(of: "import ") {
        guard names.contains(where: { line.hasBytes(of: $0) }) else { continue }
        #expect(!line.contains(call), "\(file.path):\(number + 1)")
      }
    }
  }
}

/// Rules about what network clients can reach.
extension LayerTests {
  /// The calls that open a file, or read its status, and the files of the server's commands that have them. Each path
  /// that is passed there comes from `FileReach`, or is one that only the owner can name.
  private static let openings: [String: Set<String>] = [
    "AtomicFile.": ["Library/Pictures.swift"], "FileDescriptor.": [], "LibraryScanner(": [], "Lyrics.": [],
    "FileStatus": ["Library/ItemFilter.swift", "Library/LibraryCommands.swift", "Library/LibraryTracks.swift"],
    "DirectoryListing(": ["Commands/PlaylistAccess.swift", "Library/LibraryCommands.swift"],
    "TagReader(": ["Library/LibraryCommands.swift"], "embeddedPicture(": ["Library/Pictures.swift"],
    "CoverFile(": ["Library/Pictures.swift"], "PlaylistReader.": ["Commands/PlaylistAccess.swift"],
    "tracks(ofSheet": ["Commands/PlaylistAccess.swift"], "unindexedTrack(": ["Library/LibraryTracks.swift"],
  ]

  @Test func `The commands of the server open files only where the reach of the client was asked`() throws {
    let room = "Sources/Faces/RemoteControl/"
    let files = try SourceTree.files(in: String(room.dropLast())).map {
      (name: $0.path.dropFirst(room.count), file: $0)
    }
    for (call, expected) in Self.openings {
      let found = files.filter { name, file in
        ["Commands/", "Execution/", "Library/"].contains(where: name.hasPrefix)
          && file.lines.contains { $0.hasBytes(of: call) }
      }
      #expect(Set(found.map { String($0.name) }) == expected, "\(call)")
    }
  }
}

/// Rules for all files that are checked neither by the compiler nor by the formatter.
@Suite struct HouseRuleTests {
  @Test func `Comments are at most as wide as code`() throws {
    for directory in ["Sources", "Tests"] {
      for file in try SourceTree.files(in: directory, suffixes: ["swift", "c", "h", "cpp"]) {
        for (number, line) in file.lines.enumerated() where line.utf8.count > 120 && line.count > 120 {
          let text = line.drop { $0 == " " }
          #expect(!text.hasPrefix("//") && !text.hasPrefix("*"), "\(file.path):\(number + 1)")
        }
      }
    }
  }

  @Test func `Only Platform has conditions on the operating system`() throws {
    for file in try SourceTree.files(in: "Sources") where file.room != "Platform" {
      #expect(!file.lines.contains { $0.hasBytes(of: "#if os(") }, "\(file.path)")
    }
  }

  @Test func `Every test that the sanitizers skip exists`() throws {
    let script = try SourceTree.text("Tests/Sanitizers/run")
    let names = script.matches(of: /--skip (?:'([^']+)'|(\w+))/).map { $0.output.1 ?? $0.output.2 ?? "" }
    #expect(!names.isEmpty)
    let files = try SourceTree.files(in: "Tests")
    for name in names {
      #expect(files.contains { file in file.lines.contains { $0.hasBytes(of: String(name)) } }, "\(name)")
    }
  }

  @Test func `Unit tests start no process, and never wait by sleeping`() throws {
    let isOtherLane = { (line: String) in
      line.hasBytes(of: "extension ProgramLane") || line.hasBytes(of: "extension HeardLane")
    }
    let forbiddenCalls = ["Tool.run", "ChildProcess(", ".sleep()", "usleep(", "Thread.sleep"]
    for file in try SourceTree.files(in: "Tests") {
      guard file.lines.contains(where: { $0.hasBytes(of: "@Test") }),
        !["EndToEndTests", "ArchitectureTests"].contains(file.room)
      else { continue }
      // In a file with suites of several lanes, those of other lanes come last.
      for line in file.lines.prefix(while: { !isOtherLane($0) }) {
        for call in forbiddenCalls where line.hasBytes(of: call) {
          Issue.record("\(file.path) has \(call) in the unit lane")
        }
      }
    }
  }
}
