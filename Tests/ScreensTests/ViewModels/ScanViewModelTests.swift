// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import Synchronization
import Testing

@testable import Screens

@Suite struct ScanViewModelTests {
  private let dispatcher = LibraryDispatcher()
  private let store: LibraryStore
  private let scan: ScanViewModel

  init() {
    store = LibraryStore(dispatcher: dispatcher)
    scan = ScanViewModel(store: store, actions: LibraryActionCreator(dispatcher: dispatcher))
  }

  private var shown: ScanOutput { ScanOutput(store.state) }

  private func report(_ reports: LibraryReport...) {
    for report in reports { dispatcher.dispatch(.report(report)) }
  }

  private func progressed(_ seen: Int, of total: Int?, _ milliseconds: Int) -> LibraryReport {
    .progressed(
      ScanProgress(seenCount: seen, readCount: seen / 2, totalCount: total),
      elapsed: .milliseconds(milliseconds))
  }

  @Test func `while directories are listed there is no total`() {
    scan.accept(.scan(.everything))
    report(.began, progressed(600, of: nil, 300))
    #expect(shown.text == "600 files, 300 read")
    #expect(shown.fraction == nil && shown.timeLeft == nil && shown.filesPerSecond == 2000)
  }

  @Test func `then there are a percentage, a rate and the remaining time`() {
    scan.accept(.scan(.everything))
    report(.began, progressed(2500, of: 10_000, 500))
    #expect(shown.text == "2500 of 10000 files, 1250 read")
    #expect(shown.fraction == 0.25 && shown.filesPerSecond == 5000 && shown.timeLeft == .milliseconds(1500))
  }

  @Test func `a rate needs some time, and more files than counted are at most 100 percent`() {
    scan.accept(.scan(.everything))
    report(.began, progressed(12, of: 10, 100))
    #expect(shown.filesPerSecond == nil && shown.timeLeft == nil && shown.fraction == 1)
    report(progressed(12, of: 10, 400))
    #expect(shown.timeLeft == .zero)
  }

  @Test func `at the end the changes are summarised`() {
    var summary = ScanSummary()
    scan.accept(.scan(.everything))
    report(.began, .ended(summary, isComplete: true, elapsed: .seconds(1)))
    #expect(shown.text == "nothing changed" && shown.fraction == nil)
    (summary.addedCount, summary.movedCount, summary.problemCount) = (12, 3, 1)
    scan.accept(.scan(.everything))
    report(.began, .ended(summary, isComplete: false, elapsed: .seconds(1)))
    #expect(shown.text == "cancelled: 12 added, 3 moved, 1 problem")
    summary.isAbsent = true
    scan.accept(.scan(.everything))
    report(.began, .ended(summary, isComplete: true, elapsed: .zero))
    #expect(shown.text == "directory not found; its tracks stay in the index")
  }

  @Test func `a failed scan can be repeated, and a running one cancelled`() {
    scan.accept(.scan(.everything))
    report(.began, .failed(LibraryError(.index, "the disk is full"), elapsed: .zero))
    #expect(shown.text == "the disk is full")
    scan.accept(.scan(.everything))
    report(.began)
    scan.accept(.cancel)
    #expect(shown.text == "stopping…")
  }

  @Test func `each step is drawn once`() {
    let seen = Mutex<[String]>([])
    let observation = scan.observe { output in seen.withLock { $0.append(output.text) } }
    scan.accept(.scan(.everything))
    report(.began, progressed(1, of: 2, 0), progressed(1, of: 2, 0), progressed(2, of: 2, 0))
    withExtendedLifetime(observation) {
      #expect(
        seen.withLock { $0 } == [
          "", "0 files, 0 read", "1 of 2 files, 0 read", "2 of 2 files, 1 read",
        ])
    }
  }
}
