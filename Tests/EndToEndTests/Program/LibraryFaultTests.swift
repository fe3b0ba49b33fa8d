import Foundation
import SystemPackage
import Testing

extension ProgramTests {
  /// Listings of a library that has changed, or cannot be kept.
  @Suite(.serialized) struct LibraryFaults {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `A search that finds nothing says of what`() throws {
      let outcome = try playground.segue("search", "no such thing")
      #expect(outcome.status == 3)
      #expect(outcome.errors.hasPrefix("segue: nothing in "))
      #expect(outcome.errors.hasSuffix(" matches no such thing\n"))
    }

    @Test func `A search takes any limit and any offset`() throws {
      let most = "\(Int.max)"
      let all = try playground.segue("search", "canon")
      #expect(all.status == 0 && all.lines.count > 1)
      let rest = try playground.segue("search", "canon", "--limit", most, "--offset", "1")
      #expect(rest.status == 0 && rest.lines == Array(all.lines.dropFirst()))
      #expect(try playground.segue("search", "canon", "--limit", most, "--offset", most).output.isEmpty)
    }
  }
}
