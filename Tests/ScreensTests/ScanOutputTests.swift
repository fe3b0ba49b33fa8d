// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import Testing

@testable import Screens

@Suite struct ScanOutputTests {
  private let dispatcher = LibraryDispatcher()
  private let store: LibraryStore
  private let scan: LibraryActionCreator

  init() {
    store = LibraryStore(dispatcher: dispatcher)
    scan = LibraryActionCreator(dispatcher: dispatcher)
  }

  private var output: ScanOutput { ScanOutput(store.state) }

  private func report(_ reports: LibraryReport...) {
    for report in reports { dispatcher.dispatch(.report(report)) }
  }

  private func progressed(_ seen: Int, of total: Int?, _ milliseconds: Int) -> LibraryReport {
    .progressed(
      ScanProgress(seenCount: seen, readCount: seen / 2, totalCount: total),
      elapsed: .milliseconds(milliseconds))
  }

  @Test func `while directories are listed there is no total`() {
    scan.scan(.everything)
    report(.began, progressed(600, of: nil, 300))
    #expect(output.text == "600 files, 300 read")
    #expect(output.fraction == nil && output.timeLeft == nil && output.filesPerSecond == 2000)
  }

  @Test func `once the total is known, there are a percentage, a rate and the remaining time`() {
    scan.scan(.everything)
    report(.began, progressed(2500, of: 10_000, 500))
    #expect(output.text == "2500 of 10000 files, 1250 read")
    #expect(output.fraction == 0.25 && output.filesPerSecond == 5000 && output.timeLeft == .milliseconds(1500))
  }

  @Test func `the rate is unknown at first, and more files than the total are shown as 100 percent`() {
    scan.scan(.everything)
    report(.began, progressed(12, of: 10, 100))
    #expect(output.filesPerSecond == nil && output.timeLeft == nil && output.fraction == 1)
    report(progressed(12, of: 10, 400))
    #expect(output.timeLeft == .zero)
  }

  @Test func `at the end the changes are summarised`() {
    var summary = ScanSummary()
    scan.scan(.everything)
    report(.began, .ended(summary, isComplete: true, elapsed: .seconds(1)))
    #expect(output.text == "nothing changed" && output.fraction == nil)
    (summary.addedCount, summary.movedCount, summary.problemCount) = (12, 3, 1)
    scan.scan(.everything)
    report(.began, .ended(summary, isComplete: false, elapsed: .seconds(1)))
    #expect(output.text == "cancelled: 12 added, 3 moved, 1 problem")
    summary.isAbsent = true
    scan.scan(.everything)
    report(.began, .ended(summary, isComplete: true, elapsed: .zero))
    #expect(output.text == "directory not found; its tracks stay in the index")
  }

  @Test func `a failed scan can be repeated, and a running one cancelled`() {
    scan.scan(.everything)
    report(.began, .failed(LibraryError(.index, "the disk is full"), elapsed: .zero))
    #expect(output.text == "the disk is full")
    scan.scan(.everything)
    report(.began)
    scan.cancel()
    #expect(output.text == "stopping…")
  }
}
