public import Flux
public import MusicModel
public import SystemPackage

/// How the library stands, as far as this program has read it.
public struct LibraryState: Sendable, Equatable {
  /// What its reading is at.
  public enum Phase: Sendable, Equatable {
    /// Nothing is being read.
    case idle
    /// It is being read, and has come so far.
    case scanning(ScanProgress)
    /// It could not be read.
    case failed(LibraryError)
  }

  /// What its reading is at.
  public private(set) var phase = Phase.idle
  /// How long the present reading has taken, or the last one took.
  public private(set) var elapsed = Duration.zero
  /// What the last reading that did not fail changed.
  public private(set) var summary: ScanSummary?
  /// Whether the last reading was cancelled, or is about to end because it is.
  public private(set) var isCancelled = false
  /// Whether the directory was not there when it was last looked for.
  public private(set) var isAbsent = false
  /// Rises whenever the library may hold something else than before.
  public private(set) var version: UInt64 = 0
  /// How often reading began.
  public private(set) var readingCount: UInt64 = 0
  /// What is being read.
  public private(set) var running: ScanScope?
  /// What was asked for and is read next.
  public private(set) var waiting: ScanScope?
  /// What could not be read or was cancelled, and was not read since.
  public private(set) var missed: ScanScope?

  /// Directories in which, and below which, changes on the disk are not seen.
  public private(set) var unwatched: [FilePath] = []

  /// Nothing is read yet.
  public init() {}

  /// Whether something is being read or is about to be.
  public var isBusy: Bool { running != nil || waiting != nil }

  /// Applies `action`, and says whether that changed anything.
  public mutating func reduce(_ action: LibraryAction) -> Bool {
    switch action {
    case .scan(let scope): return wait(for: scope)
    case .cancel: return cancel()
    case .report(let report): return reduce(report)
    }
  }

  private mutating func reduce(_ report: LibraryReport) -> Bool {
    if case .unwatched(let directories) = report {
      defer { unwatched = directories }
      return unwatched != directories
    }
    guard case .began = report else { return running != nil && reduceRunning(report) }
    guard running == nil, var scope = waiting.take() else { return false }
    // What failed is tried again along with anything else: it is not in step yet. What was cancelled is left alone.
    if case .failed = phase, let missed { scope.formUnion(missed) }
    running = scope.simplified
    readingCount += 1
    phase = .scanning(ScanProgress())
    elapsed = .zero
    isCancelled = false
    return true
  }

  private mutating func reduceRunning(_ report: LibraryReport) -> Bool {
    switch report {
    case .began, .unwatched: return false
    case .progressed(let progress, let elapsed):
      if phase == .scanning(progress), self.elapsed == elapsed { return false }
      phase = .scanning(progress)
      self.elapsed = elapsed
    case .ended(let summary, let isComplete, let elapsed):
      let wasAbsent = isAbsent
      end(isComplete: isComplete, elapsed)
      phase = .idle
      self.summary = summary
      isAbsent = summary.isAbsent
      if summary.hasChanged || isAbsent != wasAbsent { version += 1 }
    case .failed(let fault, let elapsed):
      // What was read before the fault is kept.
      if case .scanning(let progress) = phase, progress.readCount > 0 { version += 1 }
      end(isComplete: false, elapsed)
      isCancelled = false
      phase = .failed(fault)
    }
    return true
  }

  private mutating func end(isComplete: Bool, _ elapsed: Duration) {
    guard let scope = running.take() else { return }
    self.elapsed = elapsed
    isCancelled = !isComplete
    if isComplete {
      if let missed, scope.contains(missed) { self.missed = nil }
    } else if missed?.formUnion(scope) == nil {
      missed = scope
    }
  }

  private mutating func wait(for scope: ScanScope) -> Bool {
    if waiting?.contains(scope) == true { return false }
    if waiting?.formUnion(scope) == nil { waiting = scope }
    return true
  }

  private mutating func cancel() -> Bool {
    let isCancelling = running != nil && !isCancelled
    guard waiting != nil || isCancelling else { return false }
    waiting = nil
    if isCancelling { isCancelled = true }
    return true
  }
}

/// Publishes how the library stands: the one place where library actions are reduced.
public final class LibraryStore: Sendable {
  private let store: Store<LibraryState>

  /// A store that begins with nothing read and follows `dispatcher`, ahead of those who subscribe later.
  public init(dispatcher: LibraryDispatcher) {
    store = Store(LibraryState(), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The present state. From any thread.
  public var state: LibraryState { store.state }

  /// Has `receive` called with the present state at once and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (LibraryState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
