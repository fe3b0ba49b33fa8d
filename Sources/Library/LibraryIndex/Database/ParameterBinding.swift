// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import GRDBSQLite

/// Binds the parameters of an ``IndexStatement``, one after another.
@safe package struct ParameterBinding: ~Copyable {
  private let handle: OpaquePointer
  /// Whether this binding copies text and bytes into `values`, so that SQLite need not copy them.
  private let copiesValues: Bool
  private var parameter: Int32 = 0
  private var values = ParameterBuffer()

  /// Creates a binding for the statement at `handle`, which must outlive it.
  init(_ handle: OpaquePointer, copiesValues: Bool) {
    unsafe self.handle = unsafe handle
    self.copiesValues = copiesValues
  }

  /// Starts again at the first parameter.
  mutating func reset() {
    parameter = 0
    values.reset()
  }

  /// Binds the next parameter.
  package mutating func bind(_ value: Int64?) {
    parameter += 1
    if let value {
      unsafe sqlite3_bind_int64(handle, parameter, value)
    } else {
      unsafe sqlite3_bind_null(handle, parameter)
    }
  }

  /// Binds the next parameter.
  package mutating func bind(_ value: Int?) { bind(value.map(Int64.init)) }

  /// Binds the next parameter.
  package mutating func bind(_ value: Bool) { bind(value ? 1 as Int64 : 0) }

  /// Binds the next parameter.
  package mutating func bind(_ value: Double?) {
    parameter += 1
    if let value {
      unsafe sqlite3_bind_double(handle, parameter, value)
    } else {
      unsafe sqlite3_bind_null(handle, parameter)
    }
  }

  /// Binds the next parameter.
  package mutating func bind(_ text: String?) {
    parameter += 1
    guard var text else {
      unsafe sqlite3_bind_null(handle, parameter)
      return
    }
    text.withUTF8 { bytes in
      let source = UnsafeRawBufferPointer(bytes)
      let copied = unsafe copiesValues ? values.copy(source) : nil
      // An empty buffer may have no address, and a null pointer would bind NULL.
      let start = unsafe (copied ?? source.baseAddress)?.assumingMemoryBound(to: CChar.self)
      _ =
        unsafe start == nil
        ? sqlite3_bind_text(handle, parameter, "", 0, nil)
        : sqlite3_bind_text(
          handle, parameter, start, Int32(clamping: bytes.count), copied == nil ? Self.sqliteTransient : nil)
    }
  }

  /// Binds the next parameter.
  package mutating func bind(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe bind($0) }
  }

  /// Binds the next parameter.
  mutating func bind(_ bytes: UnsafeRawBufferPointer) {
    parameter += 1
    if bytes.count > 0, let start = bytes.baseAddress {
      let copied = unsafe copiesValues ? values.copy(bytes) : nil
      unsafe sqlite3_bind_blob(
        handle, parameter, copied ?? start, Int32(clamping: bytes.count), copied == nil ? Self.sqliteTransient : nil)
    } else {
      unsafe sqlite3_bind_zeroblob(handle, parameter, 0)
    }
  }

  /// Binds the next parameter.
  mutating func bind(_ value: DatabaseValue) {
    switch value.storage {
    case .null: bind(nil as Int64?)
    case .int64(let number): bind(number)
    case .double(let number): bind(number)
    case .string(let text): bind(text)
    case .blob(let data): unsafe data.withUnsafeBytes { unsafe bind($0) }
    }
  }

  private static var sqliteTransient: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

/// Memory for the text and bytes that are bound to a statement's parameters. SQLite reads them in place, instead of
/// allocating a copy of each.
///
/// A copy stays valid until the first `copy(_:)` after the next ``reset()``. Use it on one thread only.
@safe struct ParameterBuffer: ~Copyable {
  /// The maximum size of the memory, in bytes.
  private static let limit = 64 * 1024

  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The number of bytes that were requested, including those that did not fit.
  private var count = 0
  private var isReset = false

  deinit { unsafe memory.deallocate() }

  /// Marks all copies as reusable, because every parameter will be bound again.
  mutating func reset() { isReset = true }

  /// Copies `bytes` and returns the address of the copy, or `nil` if it does not fit. In that case the memory grows for
  /// the next time, up to its limit.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    if isReset { prepareForReuse() }
    let (end, isOverflow) = count.addingReportingOverflow(bytes.count)
    if isOverflow { return nil }
    let start = count
    count = end
    guard unsafe end <= memory.count, let source = bytes.baseAddress, let target = unsafe memory.baseAddress
    else { return nil }
    unsafe (target + start).copyMemory(from: source, byteCount: bytes.count)
    return unsafe UnsafeRawPointer(target + start)
  }

  private mutating func prepareForReuse() {
    isReset = false
    if unsafe count > memory.count, count <= Self.limit {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: min(Self.limit, 2 * count), alignment: 8)
    }
    count = 0
  }
}
