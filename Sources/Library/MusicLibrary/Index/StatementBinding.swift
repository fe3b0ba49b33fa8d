import FoundationEssentials
import GRDB
import GRDBSQLite

/// Binds the parameters of an ``IndexStatement``, in their order.
@safe struct StatementBinding: ~Copyable {
  private let handle: OpaquePointer
  /// Whether texts and bytes are kept here, instead of by SQLite.
  private let keepsValues: Bool
  private var parameter: Int32 = 0
  private var values = BoundBytes()

  /// Binds those of the statement at `handle`, which has to be there as long as this.
  init(_ handle: OpaquePointer, keepsValues: Bool) {
    unsafe self.handle = unsafe handle
    self.keepsValues = keepsValues
  }

  /// Says that all parameters will be bound anew.
  mutating func beginAnew() {
    parameter = 0
    values.beginAnew()
  }

  /// Binds the next parameter.
  mutating func bind(_ value: Int64?) {
    parameter += 1
    if let value {
      unsafe sqlite3_bind_int64(handle, parameter, value)
    } else {
      unsafe sqlite3_bind_null(handle, parameter)
    }
  }

  /// Binds the next parameter.
  mutating func bind(_ value: Int?) { bind(value.map(Int64.init)) }

  /// Binds the next parameter.
  mutating func bind(_ value: Bool) { bind(value ? 1 as Int64 : 0) }

  /// Binds the next parameter.
  mutating func bind(_ value: Double?) {
    parameter += 1
    if let value {
      unsafe sqlite3_bind_double(handle, parameter, value)
    } else {
      unsafe sqlite3_bind_null(handle, parameter)
    }
  }

  /// Binds the next parameter.
  mutating func bind(_ text: String?) {
    parameter += 1
    guard var text else {
      unsafe sqlite3_bind_null(handle, parameter)
      return
    }
    text.withUTF8 { bytes in
      let source = UnsafeRawBufferPointer(bytes)
      let kept = unsafe keepsValues ? values.keep(source) : nil
      // Without bytes there may be no address, which would bind NULL.
      let start = unsafe (kept ?? source.baseAddress)?.assumingMemoryBound(to: CChar.self)
      _ =
        unsafe start == nil
        ? sqlite3_bind_text(handle, parameter, "", 0, nil)
        : sqlite3_bind_text(
          handle, parameter, start, Int32(clamping: bytes.count), kept == nil ? Self.copies : nil)
    }
  }

  /// Binds the next parameter.
  mutating func bind(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe bind($0) }
  }

  /// Binds the next parameter.
  mutating func bind(_ bytes: UnsafeRawBufferPointer) {
    parameter += 1
    if bytes.count > 0, let start = bytes.baseAddress {
      let kept = unsafe keepsValues ? values.keep(bytes) : nil
      unsafe sqlite3_bind_blob(
        handle, parameter, kept ?? start, Int32(clamping: bytes.count), kept == nil ? Self.copies : nil)
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

  private static var copies: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
