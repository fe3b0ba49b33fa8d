public import Flux
public import Logging
import MusicModel

/// Writes every action that the dispatchers carry to a log, in their order: for finding faults.
public final class ActionLog: Sendable {
  private let subscriptions: [Subscription]

  /// Logs what the dispatchers carry from now on, on their delivering threads.
  public init(
    _ logger: Logger, dispatcher: QueueDispatcher,
    libraryDispatcher: LibraryDispatcher, searchDispatcher: SearchDispatcher
  ) {
    subscriptions = [
      dispatcher.subscribe { logger.info("\(Self.summary($0))") },
      libraryDispatcher.subscribe { logger.info("\($0)") },
      searchDispatcher.subscribe { logger.info("\(Self.summary($0))") },
    ]
  }

  private static func summary(_ action: PlayerAction) -> String {
    if case .queue(let action) = action { action.summary } else { "\(action)" }
  }

  /// An answer by its number: its rows would fill pages.
  private static func summary(_ action: SearchAction) -> String {
    switch action {
    case .report(.answered(let number, _)): "report(answered(\(number)))"
    case .report(.offered(let number, _)): "report(offered(\(number)))"
    default: "\(action)"
    }
  }
}
