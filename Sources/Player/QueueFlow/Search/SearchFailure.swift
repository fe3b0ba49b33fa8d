/// Something that was asked in vain.
public struct SearchFailure: Sendable, Hashable {
  /// What was asked.
  public let ask: SearchAsk
  /// Why there is no answer.
  public let fault: SearchFault
}
