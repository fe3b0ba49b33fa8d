import AudioCore
import QueueFlow

/// What happened to playing that the user has not been told yet.
struct News {
  private var toldProblem = 0
  private var toldWarning: String?
  private var toldError: OutputError?

  /// Tells it on standard error.
  mutating func tell(in session: Session) {
    let state = session.services.playback.state
    for problem in state.problems where problem.number > toldProblem {
      toldProblem = problem.number
      session.complain("segue: skipped \(problem.error)")
    }
    if state.warning != toldWarning {
      toldWarning = state.warning
      if let warning = state.warning { session.complain("segue: \(warning)") }
    }
    if state.outputError != toldError {
      toldError = state.outputError
      if let error = state.outputError { session.complain("segue: \(error)") }
    }
  }
}
