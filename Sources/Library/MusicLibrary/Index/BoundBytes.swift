/// Memory for the texts and bytes that a statement's parameters are bound to: SQLite reads them where they are, instead
/// of taking memory for each.
///
/// What is kept stays where it is until something is kept after the next ``beginAnew()``. For one thread.
@safe struct BoundBytes: ~Copyable {
  /// More than this is never kept, in bytes.
  private static let limit = 64 * 1024

  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How much of it is taken, or would be.
  private var count = 0
  private var isAnew = false

  deinit { unsafe memory.deallocate() }

  /// Says that the parameters will be bound anew: all to which something was bound that is kept.
  mutating func beginAnew() { isAnew = true }

  /// Keeps a copy of `bytes`, and gives its place; `nil` where there is no room. Then there will be the next time.
  mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    if isAnew { makeRoom() }
    let (end, isTooMuch) = count.addingReportingOverflow(bytes.count)
    if isTooMuch { return nil }
    let start = count
    count = end
    guard unsafe end <= memory.count, let source = bytes.baseAddress, let target = unsafe memory.baseAddress
    else { return nil }
    unsafe (target + start).copyMemory(from: source, byteCount: bytes.count)
    return unsafe UnsafeRawPointer(target + start)
  }

  private mutating func makeRoom() {
    isAnew = false
    if unsafe count > memory.count, count <= Self.limit {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: min(Self.limit, 2 * count), alignment: 8)
    }
    count = 0
  }
}
