import Testing

/// The order of the rooms: an import goes down, or to the left on its own floor, and never up.
@Suite struct LayerTests {
  /// The floors from the bottom, each with its rooms from the left.
  private static let floors = [
    [
      "CLibrary", "CAO", "CSndfile", "CFLAC", "CMPG123", "CSoxrHeader", "CSoxr", "CEbur128Header", "CEbur128",
      "CUchardetHeader", "CUchardet", "CEditline", "CUTF8Proc",
      "CPCRE2",
    ],
    ["CExpat", "CIconv", "CGlibc", "CSQLite", "CTagLib", "CSDBus", "CCoverDrawing"],
    ["Flux", "UnicodeText", "Platform"],
    ["MusicModel"],
    ["AudioCore", "SndfileDecoding", "AOPlayback", "Resampling", "LoudnessMeasuring", "PlaybackEngine"],
    ["MusicLibrary"],
    ["QueueFlow", "QueueStorage"],
    ["RemoteControl", "DesktopControl", "CoverDrawing", "SegueCommands"],
    ["segue"],
  ]
  private static let order = Dictionary(uniqueKeysWithValues: floors.joined().enumerated().map { ($1, $0) })

  /// What rooms know nothing of, though it stands below them.
  private static let unknown: [(rooms: [String], of: Set<String>)] = [
    (["PlaybackEngine", "QueueFlow"], ["CAO", "CSndfile", "AOPlayback", "SndfileDecoding"]),
    (["MusicLibrary"], ["AOPlayback", "PlaybackEngine"]),
    (
      ["RemoteControl", "DesktopControl", "SegueCommands"],
      ["PlaybackEngine", "AOPlayback", "SndfileDecoding", "QueueStorage", "GRDB", "GRDBSQLite", "CSQLite"]
    ),
  ]

  /// The modules that each room imports.
  private func imports() throws -> [String: Set<String>] {
    try SourceTree.files(in: "Sources").reduce(into: [:]) { imports, file in
      imports[file.room, default: []].formUnion(file.imports)
    }
  }

  @Test func `Every directory of Sources is a room with a place in the order`() throws {
    let rooms = try Set(
      SourceTree.files(in: "Sources", suffixes: ["swift", "c", "h", "cpp", "modulemap"]).map { file in
        file.room
      })
    #expect(rooms.subtracting(Self.order.keys) == ["SegueTags"])
    #expect(Set(Self.order.keys).subtracting(rooms) == [])
  }

  @Test func `No room depends on one above it, or to its right`() throws {
    for (room, dependencies) in try SourceTree.dependencies() {
      guard let place = Self.order[room] else { continue }
      for dependency in dependencies {
        if let other = Self.order[dependency] { #expect(other < place, "\(room) depends on \(dependency)") }
      }
    }
  }

  @Test func `A room imports what Package.swift says, and all of it`() throws {
    let dependencies = try SourceTree.dependencies()
    for (room, imports) in try imports() {
      let ours = imports.filter { Self.order[$0] != nil && $0 != room }
      let stated = dependencies[room, default: []].filter { Self.order[$0] != nil }
      #expect(ours.subtracting(stated) == [], "\(room) imports what it does not state")
      #expect(stated.subtracting(ours) == [], "\(room) states what it does not import")
    }
  }

  @Test func `The engine knows no library of sound, the library no output, and faces neither engine nor database`()
    throws
  {
    let imports = try imports()
    for rule in Self.unknown {
      for room in rule.rooms {
        #expect(imports[room, default: []].intersection(rule.of) == [], "\(room) imports what it must not know")
      }
    }
  }
}
