// SPDX-License-Identifier: GPL-3.0-or-later

/// A fixed number of elements, such as groups of atomics, that several threads use together.
///
/// An element is never moved, and can be used from any thread without reference counting.
@safe
struct SharedArray<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  // The pointer never changes, and the elements may be shared by themselves.

  private let elements: UnsafeMutablePointer<Element>
  private let count: Int

  /// Creates an array of `count` elements, at least 1, that `makeElement` returns.
  init(count: Int, _ makeElement: () -> Element) {
    self.count = max(1, count)
    unsafe elements = .allocate(capacity: self.count)
    for index in 0..<self.count { unsafe (elements + index).initialize(to: makeElement()) }
  }

  deinit {
    unsafe elements.deinitialize(count: count)
    unsafe elements.deallocate()
  }

  /// The element for `number`, which is not negative. Numbers beyond the end begin again with the first element.
  subscript(number: Int) -> Element {
    _read { yield unsafe elements[number % count] }
  }
}
