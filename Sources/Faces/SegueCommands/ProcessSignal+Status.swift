import Platform

extension ProcessSignal {
  /// The status of a program that this signal ended, or `nil` where it does not end one.
  var endingStatus: ExitStatus? {
    switch self {
    case .interrupt: .interrupted
    case .quit: .quit
    case .terminate: .terminated
    case .hangUp: .hungUp
    case .suspend, .resume, .windowChange: nil
    }
  }
}
