// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// Library scans, and their reports.
@Suite struct LibraryControllerTests {
  private let diskFull = LibraryError(.index, "the disk is full")

  private func blockedRepository(fileCount: Int = 0) -> FakeRepository {
    let repository = FakeRepository(blocksCalls: true)
    repository.state.change { $0.fileCount = fileCount }
    return repository
  }

  private func directories(_ paths: FilePath...) -> ScanScope { .directories(Set(paths)) }

  @Test func `a scan reports its beginning, its progress and its end, in this order`() throws {
    let flow = try LibraryFlow(blockedRepository(fileCount: 2))
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    #expect(flow.state.phase == .scanning(ScanProgress()))
    flow.clock.advance(byMilliseconds: 500)
    flow.repository.grantAll()
    #expect(flow.awaitIdle())
    let elapsed = Duration.milliseconds(500)
    #expect(
      flow.log.value == [
        .scan(.everything), .report(.began),
        .report(.progressed(ScanProgress(seenCount: 1, readCount: 1, totalCount: 2), elapsed: elapsed)),
        .report(.progressed(ScanProgress(seenCount: 2, readCount: 2, totalCount: 2), elapsed: elapsed)),
        .report(.ended(ScanSummary(), isComplete: true, elapsed: elapsed)),
      ])
    #expect(flow.state.phase == .idle && flow.state.summary == ScanSummary())
    #expect(flow.state.elapsed == elapsed)
  }

  @Test func `the version rises only when something has changed`() throws {
    let flow = try LibraryFlow()
    flow.actions.scan()
    #expect(flow.awaitIdle())
    #expect(flow.state.version == 0)
    flow.repository.state.change { state in
      var summary = ScanSummary()
      summary.movedCount = 1
      state.scanResult = .success(summary)
    }
    flow.actions.scan()
    #expect(flow.awaitIdle(after: 2))
    #expect(flow.state.version == 1)
  }

  @Test func `requests during a scan are scanned together after it`() throws {
    let flow = try LibraryFlow(blockedRepository())
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    flow.actions.scan(directories("/m/a"))
    flow.actions.scan(directories("/m/b/c"))
    flow.actions.scan(directories("/m/b"))
    flow.repository.grantAll()
    #expect(flow.awaitIdle(after: 2))
    #expect(flow.repository.calls == [.scan(.everything), .scan(directories("/m/a", "/m/b"))])
  }

  @Test func `a cancelled scan ends within two files, and waiting requests are dropped`() throws {
    let flow = try LibraryFlow(blockedRepository(fileCount: 100_000))
    let subscription = flow.dispatcher.subscribe { [dispatcher = flow.dispatcher] action in
      if case .report(.progressed(let progress, _)) = action, progress.seenCount == 3 {
        dispatcher.dispatch(.cancel)
      }
    }
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    flow.actions.scan(directories("/m/a"))
    flow.repository.grantAll()
    #expect(flow.awaitIdle())
    withExtendedLifetime(subscription) {}
    #expect(flow.repository.state.value.readCount <= 5)
    #expect(flow.state.isCancelled && flow.state.phase == .idle && flow.state.missed == .everything)
    #expect(flow.repository.calls.count == 1)
  }

  @Test func `a cancelled scope is scanned again on request`() throws {
    let flow = try LibraryFlow(blockedRepository(fileCount: 10))
    flow.actions.scan(directories("/m/a"))
    #expect(flow.repository.awaitCalls(1))
    flow.actions.cancel()
    #expect(flow.state.isCancelled)
    flow.repository.grantAll()
    #expect(flow.awaitIdle())
    flow.actions.scan(directories("/m/b"))
    #expect(flow.awaitIdle(after: 2))
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitIdle(after: 3))
    #expect(
      flow.repository.calls == [
        .scan(directories("/m/a")), .scan(directories("/m/b")), .scan(directories("/m/a")),
      ])
    #expect(flow.state.missed == nil && !flow.state.isCancelled)
  }

  @Test func `a scan that ends before it sees the cancellation is complete`() throws {
    let flow = try LibraryFlow(blockedRepository())
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    flow.actions.cancel()
    flow.repository.grantAll()
    #expect(flow.awaitIdle())
    #expect(!flow.state.isCancelled && flow.state.missed == nil)
  }

  @Test func `an error stays in the state until the next scan`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { [diskFull] in $0.scanResult = .failure(diskFull) }
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitIdle())
    #expect(flow.state.phase == .failed(diskFull) && flow.state.summary == nil)
    flow.repository.state.change { $0.scanResult = .success(ScanSummary()) }
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitIdle(after: 2))
    #expect(flow.state.phase == .idle && flow.state.missed == nil)
    #expect(flow.repository.calls == [.scan(directories("/m/a")), .scan(directories("/m/a"))])
  }

  @Test func `a failed scope is scanned again along with the next request`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { [diskFull] in $0.scanResult = .failure(diskFull) }
    flow.actions.scan(directories("/m/a"))
    #expect(flow.awaitIdle())
    flow.repository.state.change { $0.scanResult = .success(ScanSummary()) }
    flow.actions.scan(directories("/m/b"))
    #expect(flow.awaitIdle(after: 2))
    #expect(flow.repository.calls.last == .scan(directories("/m/a", "/m/b")))
    #expect(flow.state.missed == nil)
  }

  @Test func `a missing library directory is part of the state, and so is its return`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { state in
      var summary = ScanSummary()
      summary.isAbsent = true
      state.scanResult = .success(summary)
    }
    flow.actions.scan()
    #expect(flow.awaitIdle())
    #expect(flow.state.isAbsent && flow.state.version == 1)
    flow.repository.state.change { $0.scanResult = .success(ScanSummary()) }
    flow.actions.scan()
    #expect(flow.awaitIdle(after: 2))
    #expect(!flow.state.isAbsent && flow.state.version == 2)
  }

  @Test func `an error after some files were read may have changed the library`() throws {
    let flow = try LibraryFlow()
    flow.repository.state.change { [diskFull] state in
      state.fileCount = 1
      state.scanResult = .failure(diskFull)
    }
    flow.actions.scan()
    #expect(flow.awaitIdle())
    #expect(flow.state.version == 1)
  }

  @Test func `the controller performs requests from before its creation`() throws {
    let dispatcher = LibraryDispatcher()
    let store = LibraryStore(dispatcher: dispatcher)
    let repository = FakeRepository()
    dispatcher.dispatch(.scan(directories("/m/a")))
    let controller = try LibraryController(repository, store: store, dispatcher: dispatcher)
    #expect(repository.awaitCalls(1))
    #expect(controller.shutDown(within: 20_000))
    #expect(repository.calls == [.scan(directories("/m/a"))])
  }

  @Test func `shutting down ends the running scan`() throws {
    let flow = try LibraryFlow(blockedRepository(fileCount: 100_000))
    flow.actions.scan()
    #expect(flow.repository.awaitCalls(1))
    #expect(!flow.controller.shutDown(within: 0))
    flow.repository.grantAll()
    #expect(flow.controller.shutDown(within: 20_000))
    #expect(flow.repository.state.value.readCount == 0)
  }

  @Test func `requests from many threads run one scan at a time, and every scope is scanned`() async throws {
    let flow = try LibraryFlow()
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask { [actions = flow.actions] in
          for number in 0..<50 { actions.scan(.directories([FilePath("/m/\(task)/\(number)")])) }
        }
      }
    }
    let areAllRequested = flow.log.wait { log in
      log.count(where: { if case .scan = $0 { true } else { false } }) == 200
    }
    #expect(areAllRequested)
    #expect(flow.wait { !$0.isBusy })
    let scannedPaths = flow.repository.calls.reduce(into: Set<FilePath>()) { paths, call in
      if case .scan(.directories(let directories)) = call { paths.formUnion(directories) }
    }
    #expect(scannedPaths.count == 200)
    var runningCount = 0
    for action in flow.log.value {
      if case .report(.began) = action { runningCount += 1 }
      if action.isEnd { runningCount -= 1 }
      #expect((0...1).contains(runningCount))
    }
  }
}

/// A library flow with a repository that answers when the test allows it.
final class LibraryFlow: Sendable {
  let dispatcher = LibraryDispatcher()
  let repository: FakeRepository
  let store: LibraryStore
  let controller: LibraryController
  let actions: LibraryActionCreator
  let clock = ManualClock()
  /// All published states, newest last.
  let states = Watched<[LibraryState]>([])
  /// All actions, in the order in which they arrived after the store.
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

  /// Blocks until the newest state satisfies `isReached`. Returns `false` on timeout.
  func wait(until isReached: (LibraryState) -> Bool) -> Bool {
    states.wait { $0.last.map(isReached) ?? false }
  }

  /// Blocks until `count` scans have ended and nothing is left to scan.
  func awaitIdle(after count: Int = 1) -> Bool {
    log.wait { $0.count(where: \.isEnd) >= count } && wait { !$0.isBusy }
  }
}

extension LibraryAction {
  /// Whether the action reports the end of a scan.
  var isEnd: Bool {
    switch self {
    case .report(.ended), .report(.failed): true
    default: false
    }
  }
}
