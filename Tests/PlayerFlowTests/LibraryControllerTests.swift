import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// How the library is read, and what is said of it.
@Suite struct LibraryControllerTests {
  private let fault = LibraryError(.index, "the disk is full")

  private func held(fileCount: Int = 0) -> FakeRepository {
    let repository = FakeRepository(isHeld: true)
    repository.state.change { $0.fileCount = fileCount }
    return repository
  }

  private func directories(_ paths: FilePath...) -> ScanScope { .directories(Set(paths)) }

  @Test func `reading begins, goes on and ends as actions, in this order`() throws {
    let flow = try LibraryFlow(held(fileCount: 2))
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    #expect(flow.state.phase == .scanning(ScanProgress()))
    flow.clock.advance(byMilliseconds: 500)
    flow.repository.grantAll()
    #expect(flow.awaitRest())
    let half = Duration.milliseconds(500)
    #expect(
      flow.log.value == [
        .scan(.everything), .report(.began),
        .report(.progressed(ScanProgress(seenCount: 1, readCount: 1, totalCount: 2), elapsed: half)),
        .report(.progressed(ScanProgress(seenCount: 2, readCount: 2, totalCount: 2), elapsed: half)),
        .report(.ended(ScanSummary(), isComplete: true, elapsed: half)),
      ])
    #expect(flow.state.phase == .idle && flow.state.summary == ScanSummary())
    #expect(flow.state.elapsed == half)
  }

  @Test func `the version rises when something changed, and only then`() throws {
    let flow = try LibraryFlow()
    flow.actions.scan()
    #expect(flow.awaitRest())
    #expect(flow.state.version == 0)
    flow.repository.state.change { state in
      var summary = ScanSummary()
      summary.movedCount = 1
      state.scanResult = .success(summary)
    }
    flow.actions.scan()
    #expect(flow.awaitRest(after: 2))
    #expect(flow.state.version == 1)
  }

  @Test func `what is asked for while it is read is read once after it, in one piece`() throws {
    let flow = try LibraryFlow(held())
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    flow.actions.scan(directories("/m/a"))
    flow.actions.scan(directories("/m/b/c"))
    flow.actions.scan(directories("/m/b"))
    flow.repository.grantAll()
    #expect(flow.awaitRest(after: 2))
    #expect(flow.repository.calls == [.scan(.everything), .scan(directories("/m/a", "/m/b"))])
  }

  @Test func `a cancelled reading ends within two files, and what waited is forgotten`() throws {
    let flow = try LibraryFlow(held(fileCount: 100_000))
    let seen = flow.dispatcher.subscribe { [dispatcher = flow.dispatcher] action in
      if case .report(.progressed(let progress, _)) = action, progress.seenCount == 3 {
        dispatcher.dispatch(.cancel)
      }
    }
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    flow.actions.scan(directories("/m/a"))
    flow.repository.grantAll()
    #expect(flow.awaitRest())
    withExtendedLifetime(seen) {}
    #expect(flow.repository.state.value.readCount <= 5)
    #expect(flow.state.isCancelled && flow.state.phase == .idle && flow.state.missed == .everything)
    #expect(flow.repository.calls.count == 1)
  }

  @Test func `what was cancelled is read again when it is asked for`() throws {
    let flow = try LibraryFlow(held(fileCount: 10))
    flow.actions.scan(directories("/m/a"))
    #expect(flow.repository.awaitCalls(1))
    flow.actions.cancel()
    #expect(flow.state.isCancelled)
    flow.repository.grantAll()
    #expect(flow.awaitRest())
    flow.actions.scan(directories("/m/b"))
    #expect(flow.awaitRest(after: 2))
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitRest(after: 3))
    #expect(
      flow.repository.calls == [
        .scan(directories("/m/a")), .scan(directories("/m/b")), .scan(directories("/m/a")),
      ])
    #expect(flow.state.missed == nil && !flow.state.isCancelled)
  }

  @Test func `what ends before it hears of the end is complete`() throws {
    let flow = try LibraryFlow(held())
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    flow.actions.cancel()
    flow.repository.grantAll()
    #expect(flow.awaitRest())
    #expect(!flow.state.isCancelled && flow.state.missed == nil)
  }

  @Test func `a fault is state until it is read again`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { [fault] in $0.scanResult = .failure(fault) }
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitRest())
    #expect(flow.state.phase == .failed(fault) && flow.state.summary == nil)
    flow.repository.state.change { $0.scanResult = .success(ScanSummary()) }
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitRest(after: 2))
    #expect(flow.state.phase == .idle && flow.state.missed == nil)
    #expect(flow.repository.calls == [.scan(directories("/m/a")), .scan(directories("/m/a"))])
  }

  @Test func `what failed is read again along with what is asked for next`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { [fault] in $0.scanResult = .failure(fault) }
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitRest())
    flow.repository.state.change { $0.scanResult = .success(ScanSummary()) }
    flow.actions.scan(directories("/m/b"))
    #expect(flow.awaitRest(after: 2))
    #expect(flow.repository.calls.last == .scan(directories("/m/a", "/m/b")))
    #expect(flow.state.missed == nil)
  }

  @Test func `a directory that is not there is state, and so is its return`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { state in
      var summary = ScanSummary()
      summary.isAbsent = true
      state.scanResult = .success(summary)
    }
    flow.actions.scan()
    #expect(flow.awaitRest())
    #expect(flow.state.isAbsent && flow.state.version == 1)
    flow.repository.state.change { $0.scanResult = .success(ScanSummary()) }
    flow.actions.scan()
    #expect(flow.awaitRest(after: 2))
    #expect(!flow.state.isAbsent && flow.state.version == 2)
  }

  @Test func `a fault after files were read may have changed the library`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { [fault] state in
      state.fileCount = 1
      state.scanResult = .failure(fault)
    }
    flow.actions.scan()
    #expect(flow.awaitRest())
    #expect(flow.state.version == 1)
  }

  @Test func `what was asked for before there was a controller is read by it`() throws {
    let dispatcher = LibraryDispatcher()
    let store = LibraryStore(dispatcher: dispatcher)
    let repository = FakeRepository()
    dispatcher.dispatch(.scan(directories("/m/a")))
    let controller = try LibraryController(repository, store: store, dispatcher: dispatcher)
    #expect(repository.awaitCalls(1))
    #expect(controller.shutDown(within: 20_000))
    #expect(repository.calls == [.scan(directories("/m/a"))])
  }

  @Test func `a shut down ends the reading that is under way`() throws {
    let flow = try LibraryFlow(held(fileCount: 100_000))
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    #expect(!flow.controller.shutDown(within: 0))
    flow.repository.grantAll()
    #expect(flow.controller.shutDown(within: 20_000))
    #expect(flow.repository.state.value.readCount == 0)
  }

  @Test func `asking from many threads at once begins one reading at a time, and all is read`() async throws {
    let flow = try LibraryFlow()
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask { [actions = flow.actions] in
          for number in 0..<50 { actions.scan(.directories([FilePath("/m/\(task)/\(number)")])) }
        }
      }
    }
    let isAsked = flow.log.wait { log in
      log.count(where: { if case .scan = $0 { true } else { false } }) == 200
    }
    #expect(isAsked)
    #expect(flow.wait { !$0.isBusy })
    let read = flow.repository.calls.reduce(into: Set<FilePath>()) { paths, call in
      if case .scan(.directories(let directories)) = call { paths.formUnion(directories) }
    }
    #expect(read.count == 200)
    var depth = 0
    for action in flow.log.value {
      if case .report(.began) = action { depth += 1 }
      if action.isEnd { depth -= 1 }
      #expect((0...1).contains(depth))
    }
  }
}

/// A library flow whose disk answers as the test says.
final class LibraryFlow: Sendable {
  let dispatcher = LibraryDispatcher()
  let repository: FakeRepository
  let store: LibraryStore
  let controller: LibraryController
  let actions: LibraryActionCreator
  let clock = ManualClock()
  /// Every state that was published, the newest last.
  let states = Watched<[LibraryState]>([])
  /// Every action, in the order in which it came behind the store.
  let log = Watched<[LibraryAction]>([])
  private let subscriptions: [Subscription]

  init(_ repository: FakeRepository = FakeRepository()) throws {
    self.repository = repository
    store = LibraryStore(dispatcher: dispatcher)
    controller = try LibraryController(repository, store: store, dispatcher: dispatcher, clock: clock)
    actions = LibraryActionCreator(dispatcher: dispatcher)
    subscriptions = [
      store.observe { [states] state in states.change { $0.append(state) } },
      dispatcher.subscribe { [log] action in log.change { $0.append(action) } },
    ]
  }

  deinit {
    repository.grantAll()
    _ = controller.shutDown(within: 2000)
  }

  var state: LibraryState { store.state }

  /// Blocks until `isReached` holds of the newest state; `false` where it never does.
  func wait(until isReached: (LibraryState) -> Bool) -> Bool {
    states.wait { $0.last.map(isReached) ?? false }
  }

  /// Blocks until so many readings are over and nothing more is to be read.
  func awaitRest(after count: Int = 1) -> Bool {
    log.wait { $0.count(where: \.isEnd) >= count } && wait { !$0.isBusy }
  }
}

extension LibraryAction {
  /// Whether a reading is over.
  var isEnd: Bool {
    switch self {
    case .report(.ended), .report(.failed): true
    default: false
    }
  }
}
