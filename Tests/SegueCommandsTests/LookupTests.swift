import MusicModel
import Platform
import Synchronization
import Testing

@testable import SegueCommands

struct LookupTests {
  private let found = CollectionFinder.Found(
    collection: TrackCollection(title: "Kind of Blue", tracks: []), item: 0, problems: [])

  private func outcome(of lookup: Lookup) async -> Lookup.Outcome {
    await withCheckedContinuation { answer in lookup.whenDone { answer.resume(returning: $0) } }
  }

  @Test func `What is asked for before it is found is told when it is`() async throws {
    let isAskedFor = ThreadSignal()
    let lookup = try Lookup { [found] in
      isAskedFor.wait()
      return found
    }
    let outcome = await withCheckedContinuation { answer in
      lookup.whenDone { answer.resume(returning: $0) }
      isAskedFor.wake()
    }
    #expect(try outcome.get() == found)
  }

  @Test func `What was found already is told at once`() async throws {
    let lookup = try Lookup { [found] in found }
    _ = await outcome(of: lookup)
    let told = Mutex<CollectionFinder.Found?>(nil)
    lookup.whenDone { outcome in told.withLock { $0 = try? outcome.get() } }
    #expect(told.withLock { $0 } == found)
  }

  @Test func `Why nothing was found is told, too`() async throws {
    let lookup = try Lookup { () throws(CommandError) in throw CommandError(.notFound, "no album") }
    let outcome = await outcome(of: lookup)
    let error = #expect(throws: CommandError.self) { try outcome.get() }
    #expect(error?.status == .notFound)
  }
}
