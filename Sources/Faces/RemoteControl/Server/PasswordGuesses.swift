// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization

/// Slows down clients that guess passwords. Wrong ones are counted for each address, over all of its connections. Safe
/// to use from any thread.
///
/// After a few wrong passwords, each further one makes the server refuse all passwords from the address for a time,
/// which doubles up to a limit. Right ones do not reset the count, since a client may know one of several passwords.
final class PasswordGuesses: Sendable {
  /// The number of wrong passwords without consequence.
  static let freeCount = 3
  /// The longest time for which passwords are refused, in seconds.
  static let longestPause: UInt64 = 32
  /// The time after the last wrong password at which an address is forgotten, in seconds.
  static let memory: UInt64 = 600
  /// The maximum number of addresses that are remembered.
  static let addressLimit = 4_096

  /// The wrong passwords from one address.
  private struct Record {
    /// How many there were.
    var count = 0
    /// The end of the time for which passwords are refused.
    var pauseEnd: MonotonicInstant
    /// The time at which the address is forgotten.
    var end: MonotonicInstant
  }

  private let records = Mutex<[ClientAddress: Record]>([:])
  private let clock: any MonotonicClock

  init(clock: any MonotonicClock = SystemClock()) { self.clock = clock }

  /// Returns the result of `check`, which compares a password from `address`.
  ///
  /// - Throws: `password` if the result is `nil`, or if `check` was not called because of earlier wrong passwords.
  func attempt<Value>(from address: ClientAddress, _ check: () -> Value?) throws(ProtocolError) -> Value {
    let result = records.withLock { records -> Result<Value, ProtocolError> in
      let now = clock.now
      if let record = records[address], now < record.pauseEnd {
        let seconds = (record.pauseEnd.nanoseconds - now.nanoseconds - 1) / 1_000_000_000 + 1
        return .failure(
          ProtocolError(.password, "too many wrong passwords from your address: try again in \(seconds) s"))
      }
      if let value = check() { return .success(value) }
      Self.add(address, to: &records, at: now)
      return .failure(ProtocolError(.password, "incorrect password"))
    }
    return try result.get()
  }

  private static func add(
    _ address: ClientAddress, to records: inout [ClientAddress: Record], at now: MonotonicInstant
  ) {
    if records.count >= addressLimit, records[address] == nil {
      records = records.filter { $0.value.end > now }
      if records.count >= addressLimit, let oldest = records.min(by: { $0.value.end < $1.value.end }) {
        records[oldest.key] = nil
      }
    }
    let known = records[address].flatMap { $0.end > now ? $0 : nil }
    var record = known ?? Record(pauseEnd: now, end: now)
    record.count = min(record.count + 1, freeCount + 64)
    let excess = record.count - freeCount
    let seconds = excess <= 0 ? 0 : min(longestPause, 1 << UInt64(min(excess, 32)))
    record.pauseEnd = now.advanced(byMilliseconds: seconds * 1_000)
    record.end = now.advanced(byMilliseconds: memory * 1_000)
    records[address] = record
  }
}

/// The part of the address of a client that it cannot choose freely: an IPv4 address, or the network of an IPv6
/// address, of which every client has many.
struct ClientAddress: Sendable, Hashable {
  private static let networkByteCount = 8
  /// The bytes before an IPv4 address that is written as an IPv6 address.
  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  private let bytes: [UInt8]

  /// Creates the address of a client from the 4 bytes of an IPv4 address, the 16 of an IPv6 address, or none if it is
  /// not known.
  init(_ address: some Collection<UInt8>) {
    let isMapped = address.starts(with: Self.mappedPrefix)
    bytes = Array(isMapped ? address.dropFirst(Self.mappedPrefix.count) : address.prefix(Self.networkByteCount))
  }
}
