import MusicLibrary
import MusicModel
import QueueFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// What mpd answers about the library.
  @Suite struct LibraryComparisonTests {
    /// Not compared: the depth of compressed sound, which a decoder makes up, how long it lasts by the ways of two
    /// libraries, and what MPD does not read in ID3 tags.
    private static func lines(_ answer: [String]) -> [String] {
      let others = ["Format: ", "duration: ", "Time: ", "ComposerSort: "]
      return answer.filter { line in !others.contains { line.hasPrefix($0) } }.sorted()
    }

    @Test(.enabled(if: Tool.exists("mpd"))) func `What MPD answers is answered`() throws {
      let rig = try LibraryRig()
      let daemon = try MusicPlayerDaemon(rig.library.roots.first)
      var (ours, theirs) = (try rig.rig.client(), daemon.client)
      _ = try theirs.ask("tagtypes", ["clear"])
      _ = try theirs.ask("tagtypes", ["enable"] + SongTag.allCases.map(\.rawValue))
      for words in LibraryCommandTests.same {
        #expect(try ours.answer(words) == theirs.answer(words), "\(words)")
      }
      for words in LibraryCommandTests.sameSongs {
        #expect(try Self.lines(ours.answer(words)) == Self.lines(theirs.answer(words)), "\(words)")
      }
      #expect(
        try ours.answer(["find", "artist", "The Clockwork Consort", "sort", "-title", "window", "1:3"]).filter {
          $0.hasPrefix("file: ")
        }
          == theirs.answer(["find", "artist", "The Clockwork Consort", "sort", "-title", "window", "1:3"])
          .filter {
            $0.hasPrefix("file: ")
          })
    }
  }
}
