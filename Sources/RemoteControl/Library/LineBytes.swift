/// What a line begins with.
struct LineKey {
  /// The key, a colon and a space.
  let bytes: [UInt8]

  /// A line of this key.
  init(_ key: String) { bytes = Array("\(key): ".utf8) }
}

/// Lines of `key: value` as bytes, for what is told of songs by the hundred thousand: they go into a response together.
struct LineBytes {
  /// The lines so far.
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(2048) }

  /// Drops all lines.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Adds a line with a value of these bytes. What would end it within the value becomes a space: no value has a line's end.
  mutating func add(_ key: LineKey, _ value: UnsafeRawBufferPointer) {
    begin(key)
    append(value)
    end()
  }

  /// Adds a line with a value of these bytes.
  mutating func add(_ key: LineKey, _ value: [UInt8]) { value.withUnsafeBytes { add(key, $0) } }

  /// Adds a line with a value of these bytes, one behind the other.
  mutating func add(_ key: LineKey, _ beginning: [UInt8], _ value: UnsafeRawBufferPointer, _ end: [UInt8]) {
    begin(key)
    bytes.append(contentsOf: beginning)
    append(value)
    bytes.append(contentsOf: end)
    self.end()
  }

  /// Adds a line with a number that is not negative.
  mutating func add(_ key: LineKey, number: Int) {
    begin(key)
    addDigits(number, atLeast: 1)
    end()
  }

  /// Adds a line with so many milliseconds, as seconds with three digits behind the point.
  mutating func add(_ key: LineKey, milliseconds: Int) {
    begin(key)
    addDigits(milliseconds / 1_000, atLeast: 1)
    bytes.append(UInt8(ascii: "."))
    addDigits(milliseconds % 1_000, atLeast: 3)
    end()
  }

  /// Adds a line with a time of a day, so many seconds after it began, in UTC.
  mutating func add(_ key: LineKey, day: [UInt8], seconds: Int) {
    begin(key)
    bytes.append(contentsOf: day)
    for (sign, number) in zip("T::".utf8, [seconds / 3_600, seconds / 60 % 60, seconds % 60]) {
      bytes.append(sign)
      addDigits(number, atLeast: 2)
    }
    bytes.append(UInt8(ascii: "Z"))
    end()
  }

  private mutating func begin(_ key: LineKey) { bytes.append(contentsOf: key.bytes) }

  private mutating func append(_ value: UnsafeRawBufferPointer) {
    let start = bytes.count
    bytes.append(contentsOf: value)
    // Without a branch for each, many are looked at at a time.
    var hasEnd = false
    for byte in value { hasEnd = hasEnd || byte < 0x20 }
    guard hasEnd else { return }
    for index in start..<bytes.count where [10, 13, 0].contains(bytes[index]) {
      bytes[index] = UInt8(ascii: " ")
    }
  }

  private mutating func end() { bytes.append(UInt8(ascii: "\n")) }

  private mutating func addDigits(_ number: Int, atLeast count: Int) {
    var worth = 1
    var digits = 1
    while number / worth >= 10 || digits < count { (worth, digits) = (worth &* 10, digits + 1) }
    while worth > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / worth % 10))
      worth /= 10
    }
  }
}
