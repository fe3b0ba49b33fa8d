// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import SystemPackage

/// The secrets of addresses of streams, which no ``StreamAddress`` holds.
///
/// They are stored in a file in the state directory that only its owner can read. Each line has an address without its
/// secrets, a space, and the address with them. Safe to use from any thread.
public final class StreamSecrets: Sendable {
  /// The secrets of this process.
  public static let shared = StreamSecrets()

  static let fileName = "stream-passwords"
  /// The number of addresses above which the oldest ones are forgotten.
  fileprivate static let limit = 50_000
  fileprivate static let sizeLimit = limit * 2 * (StreamAddress.lengthLimit + 1)

  fileprivate struct Entry {
    let address: String
    /// The number of the entry: the higher, the newer.
    let number: UInt64
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var lastNumber: UInt64 = 0
    var file: FilePath?
    var isOwner = false
    /// Whether an entry has not been stored yet.
    var isChanged = false
    /// What the file was when it was read or written last; `nil` if there was none.
    var status: FileStatus?
  }

  private let state = Mutex(State())

  /// Creates an empty store, which is not in a file.
  init() {}

  /// Uses the file in this state directory from now on, which is read when it is needed. Only the owner of the
  /// directory writes it.
  public func use(_ directory: FilePath, isOwner: Bool) {
    state.withLock { state in
      state.file = directory.appending(Self.fileName)
      state.isOwner = isOwner
      state.status = nil
      state.isChanged = !state.entries.isEmpty
    }
  }

  /// Remembers the secrets of `address`, which is `shown` without them.
  func add(_ address: String, for shown: String) {
    state.withLock { state in
      guard state.entries[shown]?.address != address else { return }
      state.add(address, for: shown)
      state.isChanged = true
    }
  }

  /// Returns the address that is `shown` without its secrets; `shown` itself if it has none.
  func address(for shown: String) -> String {
    state.withLock { state in
      // Another process may have stored it.
      try? state.read()
      return state.entries[shown]?.address ?? shown
    }
  }

  /// Writes new secrets to the file, if this process is the owner of its directory. Blocks until the disk has been
  /// written. What refers to the addresses is stored only then.
  ///
  /// - Throws: `Errno`.
  public func flush() throws(Errno) {
    let result = state.withLock { state in Result { () throws(Errno) in try state.write() } }
    try result.get()
  }
}

extension StreamSecrets.State {
  mutating func add(_ address: String, for shown: String) {
    lastNumber += 1
    entries[shown] = .init(address: address, number: lastNumber)
    guard entries.count > StreamSecrets.limit else { return }
    let oldest = entries.sorted { $0.value.number < $1.value.number }.prefix(StreamSecrets.limit / 10)
    for entry in oldest { entries[entry.key] = nil }
  }

  /// Reads what the file has that is not known, if it has changed.
  mutating func read() throws(Errno) {
    guard let file else { return }
    let found = try? FileStatus(of: file, followingLinks: false)
    guard found?.identity != status?.identity || found?.modificationTime != status?.modificationTime else { return }
    guard found?.kind == .regular, let bytes = try AtomicFile.read(file, limit: StreamSecrets.sizeLimit) else {
      return
    }
    status = found
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      // What was typed since is newer.
      if parts.count == 2, entries[parts[0]] == nil { add(parts[1], for: parts[0]) }
    }
  }

  mutating func write() throws(Errno) {
    guard isChanged, isOwner, let file else { return }
    try read()
    let lines = entries.sorted { $0.value.number < $1.value.number }.map { "\($0.key) \($0.value.address)\n" }
    try AtomicFile.write(lines.joined().utf8, to: file)
    status = try? FileStatus(of: file, followingLinks: false)
    isChanged = false
  }
}
