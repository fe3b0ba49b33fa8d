package import Platform
import Synchronization
import Terminal
import UnicodeText

/// Shows how measuring goes, and what comes of it.
package struct GainView {
  /// How long an end that was asked for waits for those who measure: a write is completed, a file that blocks is not
  /// waited for.
  private static let patience: UInt64 = 2_000
  private static let clearLine = "\r\u{1B}[K"

  private let context: any ViewContext
  private let events: EventQueue<GainEvent>
  private let printsJSON: Bool
  private let isDrawn: Bool

  /// A view in `context` of what `events` say, which prints albums as JSON where it `printsJSON`.
  package init(_ context: any ViewContext, events: EventQueue<GainEvent>, printsJSON: Bool) {
    self.context = context
    self.events = events
    self.printsJSON = printsJSON
    isDrawn =
      context.manner.tellsProgress && context.manner.draws && StandardStream.output.isInForeground
  }

  /// Shows all until the end, on the main thread; gives the status to end with.
  package func run(worker: WorkerThread, cancellation: GainCancellation) throws(CommandError) -> ExitStatus {
    var state = State()
    while true {
      guard case .event(let event) = events.next() else { continue }
      switch event {
      case .progress(let progress):
        state.progress = progress
        draw(progress, &state)
      case .album(let index, let report):
        state.waiting[index] = report
        printReports(&state)
        // Nobody reads any more: whoever runs the command checks why.
        if context.sayingFailure != nil {
          end(worker, cancellation)
          return .success
        }
      case .problem(let text):
        clear(&state)
        context.complain("segue: \(text)")
      case .ended(let result):
        clear(&state)
        return try result.get()
      case .signal(let signal):
        end(worker, cancellation)
        clear(&state)
        // Those behind one that is not finished.
        for (_, report) in state.waiting.sorted(by: { $0.key < $1.key }) { print(report, &state) }
        let progress = state.progress
        context.complain(
          "segue: ended early: \(progress.finishedTracks) of \(progress.tracks) tracks were measured")
        return signal.endingStatus ?? .interrupted
      }
    }
  }

  /// What is on the terminal, and what is to come.
  private struct State {
    var progress = GainProgress()
    var isDrawn = false
    var waiting: [Int: GainReport] = [:]
    var nextAlbum = 0
    var hasPrinted = false
    var told = PlainProgress()
  }

  private func end(_ worker: WorkerThread, _ cancellation: GainCancellation) {
    cancellation.cancel()
    _ = worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: Self.patience))
  }

  /// Prints the albums in their order, as soon as those before them are printed.
  private func printReports(_ state: inout State) {
    while let report = state.waiting.removeValue(forKey: state.nextAlbum) {
      clear(&state)
      print(report, &state)
      state.nextAlbum += 1
    }
    draw(state.progress, &state)
  }

  private func print(_ report: GainReport, _ state: inout State) {
    guard !report.lines.isEmpty else { return }
    if printsJSON {
      context.say(data: report.json)
    } else {
      if state.hasPrinted, !context.manner.isPlain { context.say("") }
      if context.manner.isPlain {
        context.say(report.plainLines)
      } else {
        context.say(report.table(columns: StandardStream.output.terminalSize?.columns, context.palette))
      }
    }
    state.hasPrinted = true
  }

  private func draw(_ progress: GainProgress, _ state: inout State) {
    guard progress.finishedTracks < progress.tracks else { return }
    if context.manner.tellsProgress, !context.manner.draws {
      if state.told.isDue(share: progress.share, after: progress.elapsed) { context.say(progress.plainText) }
      return
    }
    guard isDrawn else { return }
    let columns = StandardStream.output.terminalSize?.columns ?? 80
    try? StandardStream.output.write(
      "\r" + context.manner.signed(progress.line(columns: columns)) + "\u{1B}[K")
    state.isDrawn = true
  }

  private func clear(_ state: inout State) {
    if state.isDrawn { try? StandardStream.output.write(Self.clearLine) }
    state.isDrawn = false
  }
}

/// What the view of `gain` waits for.
package enum GainEvent: Sendable {
  /// So far it has come.
  case progress(GainProgress)
  /// The album of this index was measured.
  case album(Int, GainReport)
  /// Something to tell the user.
  case problem(String)
  /// It is over; the status to end with, where nothing stands against it.
  case ended(Result<ExitStatus, CommandError>)
  /// The program is asked to end.
  case signal(ProcessSignal)
}

/// Tells those who measure to end.
package final class GainCancellation: Sendable {
  private let isAsked = Atomic(false)

  /// Nobody has asked yet.
  package init() {}

  /// Whether they are to end.
  package var isCancelled: Bool { isAsked.load(ordering: .relaxed) }

  /// Asks them to.
  func cancel() { isAsked.store(true, ordering: .relaxed) }
}

/// How far measuring has come.
package struct GainProgress: Sendable, Equatable {
  /// How many tracks are to be measured.
  package var tracks = 0
  /// How many were, or could not be.
  package var finishedTracks = 0
  /// How long the tracks are in all, as far as they say.
  package var length = Duration.zero
  /// How much of that was measured.
  package var measured = Duration.zero
  /// How long it has taken.
  package var elapsed = Duration.zero

  /// Nothing was measured yet.
  package init() {}

  /// How much of it is done, from 0 to 1, where that can be said.
  var share: Double? { length > .zero ? min(1, measured / length) : nil }

  /// The line to be read aloud.
  var plainText: String {
    "\(finishedTracks) of \(ItemCount.text(tracks, "track")) measured"
      + (share.map { "; \(Int($0 * 100)) percent" } ?? "")
  }

  /// The line for a terminal of so many columns: tracks, a bar, the share, how many times faster than playing it goes,
  /// and how long it will take; as much of it as there is room for.
  func line(columns: Int) -> String {
    let speed = elapsed > .milliseconds(200) ? measured / elapsed : nil
    let rest = speed.flatMap { $0 > 0 && length > measured ? (length - measured) / $0 : nil }
    let head = "\(finishedTracks)/\(tracks) tracks"
    var tail = [
      share.map { "\(Int($0 * 100)) %" }, speed.map { "\(Int(min($0, 1e6).rounded()))x" },
      rest.map { TimeText.text($0) + " left" },
    ].compactMap { $0 }
    // The last cell stays free: some terminals go to the next line behind it.
    let cells = columns - 1
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - head.cellWidth - end.cellWidth - 2
      if bar >= 6 || tail.isEmpty {
        let middle = bar >= 6 ? ProgressBar.text(share: share, cells: min(bar, 40)) : ""
        return [head, middle, end].filter { !$0.isEmpty }.joined(separator: " ").truncated(toCells: cells)
      }
      tail.removeLast()
    }
  }
}
