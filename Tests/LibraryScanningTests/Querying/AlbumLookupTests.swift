// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import Tagging

struct AlbumLookupTests {
  private static let albums: [(title: String, artist: String?)] = [
    ("Kind of Blue", "Miles Davis"), ("Kind of Blue (Legacy)", "Miles Davis"), ("A Kind of Magic", "Queen"),
    ("Greatest Hits", "Queen"), ("Greatest Hits", "ABBA"), ("AC/DC Live", "AC/DC"),
    ("Für Elise", "Beethoven"),
    ("夜曲", "久石 譲"), ("Demos", nil), ("Blue", "Joni Mitchell"), ("Live", "Queensrÿche"), ("Live", "Queen"),
  ]

  /// Creates a library of these albums, each with one track that also has the given tags.
  private static func library(
    _ albums: [(title: String, artist: String?)], _ tags: [(String, String)] = []
  ) throws -> ScanRig {
    let rig = try ScanRig()
    for (number, album) in albums.enumerated() {
      try rig.add(
        "\(number)/1.flac",
        [("TITLE", "One"), ("ALBUM", album.title)] + (album.artist.map { [("ARTIST", $0)] } ?? []) + tags)
    }
    try rig.scan()
    return rig
  }

  /// Looks up an album. Returns its name after "=", the names of several matches after "*", or suggestions after "?".
  private static func find(_ query: String, in rig: ScanRig) throws -> [String] {
    switch try IndexedLibrary(index: rig.index, roots: LibraryRoots(rig.root)).findAlbum(query) {
    case .found(let album): ["=", name(album)]
    case .ambiguous(let albums): ["*"] + albums.map(name)
    case .none(let suggestions): ["?"] + suggestions.map(name)
    }
  }

  private static func name(_ album: AlbumName) -> String { "\(album.artist ?? "-")/\(album.title)" }

  private static let lookups: [(query: String, expected: [String])] = [
    // Exact before prefix before substring.
    ("Kind of Blue", ["=", "Miles Davis/Kind of Blue"]),
    ("kind OF  blue", ["=", "Miles Davis/Kind of Blue"]),
    ("Blue", ["=", "Joni Mitchell/Blue"]),
    ("Kind", ["*", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
    ("kind of m", ["=", "Queen/A Kind of Magic"]), ("legacy", ["=", "Miles Davis/Kind of Blue (Legacy)"]),
    // Case, diacritics, width.
    ("fur elise", ["=", "Beethoven/Für Elise"]), ("ｂｌｕｅ", ["=", "Joni Mitchell/Blue"]),
    ("夜曲", ["=", "久石 譲/夜曲"]),
    // Several albums.
    ("Greatest Hits", ["*", "Queen/Greatest Hits", "ABBA/Greatest Hits"]),
    ("great", ["*", "Queen/Greatest Hits", "ABBA/Greatest Hits"]),
    // With the artist.
    ("ABBA/Greatest Hits", ["=", "ABBA/Greatest Hits"]), ("abba / great", ["=", "ABBA/Greatest Hits"]),
    ("Davis/Kind of Blue", ["=", "Miles Davis/Kind of Blue"]), ("Queen/Live", ["=", "Queen/Live"]),
    ("Quee/Live", ["*", "Queensrÿche/Live", "Queen/Live"]),
    // A slash in a name.
    ("AC/DC Live", ["=", "AC/DC/AC/DC Live"]), ("AC/DC/AC/DC Live", ["=", "AC/DC/AC/DC Live"]),
    ("ac/dc/live", ["=", "AC/DC/AC/DC Live"]),
    // Without what stands between letters.
    ("acdc live", ["=", "AC/DC/AC/DC Live"]), ("acdc/acdc live", ["=", "AC/DC/AC/DC Live"]),
    ("acdc/li", ["=", "AC/DC/AC/DC Live"]), ("de-mos", ["=", "-/Demos"]), ("acdc", ["=", "AC/DC/AC/DC Live"]),
    ("acdc/nosuch", ["?"]),
    // No album.
    ("Kind of Bleu", ["?", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
    ("Miles Davis", ["?", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
    ("mils davis", ["?", "Miles Davis/Kind of Blue", "Miles Davis/Kind of Blue (Legacy)"]),
    ("Beethofen", ["?", "Beethoven/Für Elise"]),
    ("Queen/Demo", ["?", "-/Demos"]), ("xyzzy", ["?"]), ("", ["?"]), ("  ", ["?"]),
    ("Queen/", ["?", "Queen/A Kind of Magic", "Queen/Greatest Hits", "Queen/Live"]),
    ("demos", ["=", "-/Demos"]), ("Lvie", ["?", "Queensrÿche/Live", "Queen/Live"]),
  ]

  @Test func `A query finds the album of that name, or suggests similar names`() throws {
    let rig = try Self.library(Self.albums)
    for (query, expected) in Self.lookups {
      let found = try Self.find(query, in: rig)
      #expect(
        found.prefix(1) + found.dropFirst().sorted() == expected.prefix(1) + expected.dropFirst().sorted(),
        "\(query)")
    }
  }

  @Test func `Albums are found by sort names, too`() throws {
    let rig = try Self.library(
      [("夜曲", "久石 譲")], [("ALBUMSORT", "やきょく"), ("ALBUMARTISTSORT", "Hisaishi, Joe")])
    #expect(try Self.find("やきょく", in: rig) == ["=", "久石 譲/夜曲"])
    #expect(try Self.find("hisaishi/夜", in: rig) == ["=", "久石 譲/夜曲"])
  }

  @Test func `A long query finds nothing`() throws {
    let rig = try Self.library([("Album", "Artist")])
    #expect(try Self.find(String(repeating: "a/", count: 50_000), in: rig) == ["?"])
  }
}
