/// How loud to play, in percent: 0 is silence, 100 leaves every sample as it is.
public struct Volume: Sendable, Hashable {
  /// As it is.
  public static let full = Volume(percent: 100)

  /// 0 to 100.
  public let percent: Int

  /// This volume, or the nearest that there is.
  public init(percent: Int) { self.percent = min(max(percent, 0), 100) }

  /// The factor for samples. It rises with the cube of the percentage, so that equal steps sound about equal.
  public var gain: Float {
    let share = Float(percent) / 100
    return share * share * share
  }

  /// This volume changed by so many percent.
  public func changed(by percent: Int) -> Volume {
    Volume(percent: self.percent + min(max(percent, -100), 100))
  }
}
