/// The least of the last so many values, in constant time a value on average. Allocates nothing after its beginning.
@safe
struct SlidingMinimum: ~Copyable {
  private typealias Candidate = (time: Int, value: Int32)

  private let length: Int
  /// A ring of the values that can still become the least, in the order of their time, each greater than the one before.
  private let candidates: UnsafeMutablePointer<Candidate>
  private var first = 0
  private var count = 0
  private var time = 0

  /// The least of the last `length` values; at least 1.
  init(length: Int) {
    self.length = length
    unsafe candidates = .allocate(capacity: length)
  }

  deinit { unsafe candidates.deallocate() }

  /// Forgets all values.
  mutating func reset() { count = 0 }

  /// Adds `value` and gives the least.
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

  private func place(_ offset: Int) -> Int {
    let place = first &+ offset
    return place < length ? place : place &- length
  }
}
