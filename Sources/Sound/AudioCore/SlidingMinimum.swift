/// The least of the last so many values, in constant time a value on average.
///
/// A value over memory of someone else's, so that a loop can keep a copy of it in registers.
@safe
struct SlidingMinimum: BitwiseCopyable {
  /// A value, and when it was added.
  typealias Candidate = (time: Int, value: Int32)

  private let length: Int
  /// A ring of the values that can still become the least, in the order of their time, each greater than the one
  /// before.
  private let candidates: UnsafeMutablePointer<Candidate>
  private var first = 0
  private var count = 0
  private var time = 0

  /// The least of the last `length` values, at least 1; `candidates` has room for as many, and outlives it.
  init(length: Int, candidates: UnsafeMutablePointer<Candidate>) {
    self.length = length
    unsafe self.candidates = unsafe candidates
  }

  /// Forgets all values.
  mutating func reset() { count = 0 }

  /// Adds `value` and gives the least.
  @inline(__always)
  mutating func push(_ value: Int32) -> Int32 {
    time &+= 1
    if count > 0, unsafe candidates[first].time <= time &- length {
      first = place(1)
      count &-= 1
    }
    while count > 0, unsafe candidates[place(count &- 1)].value >= value { count &-= 1 }
    unsafe candidates[place(count)] = (time, value)
    count &+= 1
    return unsafe candidates[first].value
  }

  @inline(__always)
  private func place(_ offset: Int) -> Int {
    let place = first &+ offset
    return place < length ? place : place &- length
  }
}
