// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import MusicModel
import Platform
package import PlayerFlow
package import PlayerPort
package import SystemPackage
import Tagging
import Terminal
import UnicodeText

/// Shows the progress of a scan until it ends, either on a line of the terminal that is redrawn in place, or as lines
/// that are printed from time to time.
///
/// Used on the main thread.
package struct ScanView {
  /// The outcome of a scan.
  package enum Outcome: Equatable {
    /// The scan has completed or failed; the state says which.
    case ended(LibraryState)
    /// A signal cancelled the scan, and ends the program with this status. Tracks that have been scanned stay in the
    /// index.
    case cancelled(ExitStatus, LibraryState)
  }

  private enum Event: Sendable {
    case changed(LibraryState)
    case file(FileChange)
    case signal(ProcessSignal)
  }

  private let actions: LibraryActionCreator
  private let store: LibraryStore
  private let index: any MusicLibrary
  private let context: any ViewContext
  private let scope: ScanScope
  private let drawsProgress: Bool
  private let showsProgress: Bool

  /// Creates a view in `context` that scans `scope` with `flow`. No progress is shown if `isSilent`.
  package init(_ flow: LibraryFlow, _ scope: ScanScope, _ context: any ViewContext, isSilent: Bool = false) {
    self.scope = scope
    self.context = context
    index = flow.index
    actions = flow.libraryActions
    store = flow.library
    showsProgress = context.outputStyle.showsProgress && !isSilent
    drawsProgress = showsProgress && context.outputStyle.draws && StandardStream.output.isInForeground
  }

  /// Starts the scan, and shows its progress until it ends.
  ///
  /// - Throws: `Errno` if no thread or descriptor is available.
  package func run() throws(Errno) -> Outcome {
    let events = try EventQueue<Event>()
    // In the REPL, signals are caught by the REPL itself, and interrupt the wait below.
    var watch: SignalWatch?
    if !context.isPlayer {
      watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    }
    if context.outputStyle.isVerbose { index.onFileChange { events.post(.file($0)) } }
    actions.scan(scope)
    let subscription = store.observe { events.post(.changed($0)) }
    defer {
      index.onFileChange(nil)
      subscription.cancel()
      draw("")
    }
    var status: ExitStatus?
    var progress = PlainProgress()
    return withExtendedLifetime(watch) {
      while true {
        switch events.next() {
        case .event(.changed(let state)):
          if !state.isBusy { return status.map { .cancelled($0, state) } ?? .ended(state) }
          printProgress(ScanOutput(state), state.elapsed, &progress)
        case .event(.file(let change)):
          draw("")
          context.detail(change.description)
        case .event(.signal(let signal)):
          // After a second signal, do not wait for the disk any longer.
          if let status { return .cancelled(status, store.state) }
          status = signal.endingStatus ?? .interrupted
          actions.cancel()
        case .interrupted:
          status = .interrupted
          actions.cancel()
        case .input, .inputEnded: break
        }
      }
    }
  }

  private func printProgress(_ output: ScanOutput, _ elapsed: Duration, _ progress: inout PlainProgress) {
    if drawsProgress {
      let columns = StandardStream.output.terminalSize?.columns ?? 80
      draw(context.outputStyle.withSupportedSymbols(ScanProgressLine.text(output, columns: columns)))
    } else if showsProgress, !context.outputStyle.draws,
      progress.isDue(fraction: output.fraction, after: elapsed)
    {
      context.printLine(ScanProgressLine.plainText(output))
    }
  }

  private func draw(_ line: String) {
    if drawsProgress { try? StandardStream.output.write("\r\(line)\u{1B}[K") }
  }
}

/// The progress of a scan as one line: counts, a bar, the rate, and the remaining time. Parts that do not fit are
/// omitted.
enum ScanProgressLine {
  /// Returns the progress as one line in plain style.
  static func plainText(_ output: ScanOutput) -> String {
    let fraction = output.fraction.map { "; \(Int($0 * 100)) percent" } ?? ""
    return output.text.safeForTerminal + fraction
      + (output.timeLeft.map { "; \(TimeText.words($0)) left" } ?? "")
  }

  /// Returns the progress as one line. It is narrower than `columns`, since some terminals wrap after the last cell.
  static func text(_ output: ScanOutput, columns: Int) -> String {
    let cells = columns - 1
    let head = output.text.safeForTerminal
    var tail = [
      output.fraction.map { "\(Int($0 * 100))%" }, output.filesPerSecond.map { "\(Int(min($0, 1e9)))/s" },
      output.timeLeft.map { TimeText.text($0) + " left" },
    ].compactMap { $0 }
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - head.cellWidth - end.cellWidth - 2
      if bar >= 6 || tail.isEmpty {
        let middle =
          bar >= 6 ? ProgressBar.text(fraction: output.fraction, cells: min(bar, 40)) : ""
        return [head, middle, end].filter { !$0.isEmpty }.joined(separator: " ").truncated(toCells: cells)
      }
      tail.removeLast()
    }
  }
}
