// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
package import PlayerPort
import Synchronization
import Terminal
import UnicodeText

/// Shows the progress and the results while loudness is measured.
package struct GainView {
  /// The maximum time in milliseconds to wait for the measuring threads after cancelling: long enough to finish a
  /// write, but not to wait for a file that blocks.
  private static let timeoutMilliseconds: UInt64 = 2_000
  private static let clearLine = "\r\u{1B}[K"

  private let context: any ViewContext
  private let events: EventQueue<GainEvent>
  private let printsJSON: Bool
  /// Whether progress is drawn on a line that is redrawn in place.
  private let drawsProgress: Bool

  /// Creates a view that shows `events` in `context`. If `printsJSON`, the results are printed as JSON.
  package init(_ context: any ViewContext, events: EventQueue<GainEvent>, printsJSON: Bool) {
    self.context = context
    self.events = events
    self.printsJSON = printsJSON
    drawsProgress =
      context.outputStyle.showsProgress && context.outputStyle.draws && StandardStream.output.isInForeground
  }

  /// Handles events until measuring ends, and returns the exit status. Call this on the main thread.
  package func run(worker: WorkerThread, cancellation: GainCancellation) throws(PlayerError) -> ExitStatus {
    var state = State()
    while true {
      guard case .event(let event) = events.next() else { continue }
      switch event {
      case .progress(let progress):
        state.progress = progress
        draw(progress, &state)
      case .album(let index, let report):
        state.unprintedReports[index] = report
        printReports(&state)
        // Printing has failed. The caller reports the error.
        if context.outputError != nil {
          stop(worker, cancellation)
          return .success
        }
      case .problem(let text):
        clear(&state)
        context.printError("segue: \(text)")
      case .ended(let result):
        clear(&state)
        return try result.get()
      case .signal(let signal):
        stop(worker, cancellation)
        clear(&state)
        // Print the albums that were held back by an unfinished one before them.
        for (_, report) in state.unprintedReports.sorted(by: { $0.key < $1.key }) { print(report, &state) }
        let progress = state.progress
        context.printError(
          "segue: interrupted: \(progress.finishedTracks) of \(progress.tracks) tracks measured")
        return signal.endingStatus ?? .interrupted
      }
    }
  }

  /// What is on the terminal, and which results are still to be printed.
  private struct State {
    var progress = GainProgress()
    /// Whether the progress is on the terminal now.
    var isProgressShown = false
    /// The reports that have not been printed yet, by the index of the album.
    var unprintedReports: [Int: GainReport] = [:]
    /// The index of the album to print next.
    var nextAlbum = 0
    var hasPrinted = false
    var plainProgress = PlainProgress()
  }

  private func stop(_ worker: WorkerThread, _ cancellation: GainCancellation) {
    cancellation.cancel()
    _ = worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: Self.timeoutMilliseconds))
  }

  /// Prints the finished albums in their order, up to the first that is not finished.
  private func printReports(_ state: inout State) {
    while let report = state.unprintedReports.removeValue(forKey: state.nextAlbum) {
      clear(&state)
      print(report, &state)
      state.nextAlbum += 1
    }
    draw(state.progress, &state)
  }

  private func print(_ report: GainReport, _ state: inout State) {
    guard !report.lines.isEmpty else { return }
    if printsJSON {
      context.printLines(data: report.json)
    } else {
      if state.hasPrinted, !context.outputStyle.isPlain { context.printLine("") }
      if context.outputStyle.isPlain {
        context.printLines(report.plainLines)
      } else {
        context.printLines(report.table(columns: StandardStream.output.terminalSize?.columns, context.palette))
      }
    }
    state.hasPrinted = true
  }

  private func draw(_ progress: GainProgress, _ state: inout State) {
    guard progress.finishedTracks < progress.tracks else { return }
    if context.outputStyle.showsProgress, !context.outputStyle.draws {
      if state.plainProgress.isDue(fraction: progress.fraction, after: progress.elapsed) {
        context.printLine(progress.plainText)
      }
      return
    }
    guard drawsProgress else { return }
    let columns = StandardStream.output.terminalSize?.columns ?? 80
    try? StandardStream.output.write(
      "\r" + context.outputStyle.withSupportedSymbols(progress.line(columns: columns)) + "\u{1B}[K")
    state.isProgressShown = true
  }

  private func clear(_ state: inout State) {
    if state.isProgressShown { try? StandardStream.output.write(Self.clearLine) }
    state.isProgressShown = false
  }
}

/// An event that the loudness view handles.
package enum GainEvent: Sendable {
  /// The progress has changed.
  case progress(GainProgress)
  /// The album with this index has been measured.
  case album(Int, GainReport)
  /// A problem occurred that is to be reported to the user.
  case problem(String)
  /// Measuring has ended with this exit status or error.
  case ended(Result<ExitStatus, PlayerError>)
  /// A signal asks the program to end.
  case signal(ProcessSignal)
}

/// A flag that cancels measuring. Safe to use from any thread.
package final class GainCancellation: Sendable {
  private let isFlagSet = Atomic(false)

  /// Creates a flag that is not set.
  package init() {}

  /// Whether measuring has been cancelled.
  package var isCancelled: Bool { isFlagSet.load(ordering: .relaxed) }

  /// Cancels measuring.
  func cancel() { isFlagSet.store(true, ordering: .relaxed) }
}

/// The progress of measuring loudness.
package struct GainProgress: Sendable, Equatable {
  /// The number of tracks to measure.
  package var tracks = 0
  /// The number of tracks that are finished, including those that could not be measured.
  package var finishedTracks = 0
  /// The total duration of the tracks whose duration is known.
  package var length = Duration.zero
  /// The duration of audio measured so far.
  package var measured = Duration.zero
  /// The time since measuring began.
  package var elapsed = Duration.zero

  package init() {}

  /// The fraction that is done, from 0 to 1; `nil` if no duration is known.
  var fraction: Double? { length > .zero ? min(1, measured / length) : nil }

  /// The progress as one line in plain style.
  var plainText: String {
    "\(finishedTracks) of \(ItemCount.text(tracks, "track")) measured"
      + (fraction.map { "; \(Int($0 * 100)) percent" } ?? "")
  }

  /// Returns the progress as one line for a terminal that is `columns` cells wide: tracks, a bar, the percentage, the
  /// speed relative to real time, and the remaining time. Parts that do not fit are omitted.
  func line(columns: Int) -> String {
    let speed = elapsed > .milliseconds(200) ? measured / elapsed : nil
    let remaining = speed.flatMap { $0 > 0 && length > measured ? (length - measured) / $0 : nil }
    let head = "\(finishedTracks)/\(tracks) tracks"
    var tail = [
      fraction.map { "\(Int($0 * 100))%" }, speed.map { "\(Int(min($0, 1e6).rounded()))x" },
      remaining.map { TimeText.text($0) + " left" },
    ].compactMap { $0 }
    // The last cell stays empty, because some terminals wrap after it.
    let cells = columns - 1
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - head.cellWidth - end.cellWidth - 2
      if bar >= 6 || tail.isEmpty {
        let middle = bar >= 6 ? ProgressBar.text(fraction: fraction, cells: min(bar, 40)) : ""
        return [head, middle, end].filter { !$0.isEmpty }.joined(separator: " ").truncated(toCells: cells)
      }
      tail.removeLast()
    }
  }
}
