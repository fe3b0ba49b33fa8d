// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Platform

/// All parsers of untrusted bytes, with the seeds in `Fixtures/Fuzz`, both unchanged and damaged. `$SEGUE_FUZZ_CASES`
/// is the number of damaged inputs per parser, and `$SEGUE_FUZZ_SEED` the seed of the first.
struct HostileInputTests {
  /// Returns the seeds of a parser, sorted by name.
  private static func seeds(_ parser: Parser) throws -> [(name: String, bytes: [UInt8])] {
    let directory = Fixture.directory.appending("Fuzz").appending(parser.rawValue)
    return try DirectoryListing(of: directory).entries.map(\.name.string).sorted().map { name in
      (name, try contents(of: directory.appending(name)))
    }
  }

  @Test(arguments: Parser.allCases)
  func `A parser survives hostile input, and its result is valid`(parser: Parser) throws {
    let seeds = try Self.seeds(parser)
    try #require(!seeds.isEmpty)
    for (name, bytes) in seeds { #expect(parser.check(bytes) == nil, "\(parser.rawValue)/\(name)") }
    let count = FuzzRun.count(standard: parser.isSlow ? 50 : 500)
    let problem = try FuzzRun.firstFailure(count: count) { seed in
      var mutator = Mutator(seed: seed)
      let (name, bytes) = seeds[Int(seed % UInt64(seeds.count))]
      let other = seeds[mutator.number(0...(seeds.count - 1))].bytes
      return parser.check(mutator.damaged(bytes, other: other)).map { "\(name): \($0)" }
    }
    #expect(problem == nil)
  }

  @Test(arguments: [Parser.indexFile, .stateFile])
  func `A database survives any damage to its schema`(parser: Parser) throws {
    let isIndex = parser == .indexFile
    let database = try isIndex ? IndexCheck.template.get() : StateDatabaseCheck.template.get()
    let scripts = SchemaEdits.scripts(for: database, step: isIndex ? 53 : 13)
    #expect(scripts.count > 60)
    for script in scripts { #expect(parser.check(script) == nil, "\(script)") }
  }
}

extension Parser {
  /// Whether the parser opens a database for each input.
  fileprivate var isSlow: Bool { self == .indexFile || self == .stateFile }
}
