extension Duration {
  /// The milliseconds, rounded down; 0 where negative, the greatest number where they are more.
  public var wholeMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1000)
    let rest = UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    let (sum, isTooMuch) = product.addingReportingOverflow(rest)
    return isTooLong || isTooMuch ? .max : sum
  }
}
