import MusicModel
import QueueFlow

/// What a view says where there is nothing to show for what was wanted. Not yet safe for a terminal.
struct ViewProblem: Sendable, Equatable {
  /// What is wrong, as one line.
  var message: String
  /// The column of the query where it is wrong, from 1.
  var column: Int?
  /// What to do.
  var advice: String

  /// What to say of `fault`.
  init(_ fault: SearchFault) {
    switch fault {
    case .query(let text, let place):
      message = text
      column = place
      advice = "change the query"
    case .library(let fault):
      self = ViewProblem(fault)
    }
  }

  /// What to say of `fault`.
  init(_ fault: LibraryFault) {
    message = fault.description
    advice = "try again"
  }
}
