// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage

/// Reads the stored queue, and validates everything it reads.
struct StateReader {
  private typealias FileError = StateSchema.FileError

  private let database: Database
  /// Whether the database is of an earlier version, which stored addresses with their passwords.
  private let hasSecrets: Bool
  /// Whether the database is of an earlier version, which does not know which moves of files the queue follows.
  private let lacksMoves: Bool
  /// Whether the database is of an earlier version, which does not know what music keeps playing.
  private let lacksKeepPlaying: Bool
  /// The stored pages by number, once they have been read.
  private(set) var pages: [Int64: QueuePage] = [:]
  /// The numbers of the steps that can be undone, and of those that can be redone.
  private(set) var stepNumbers: (undoable: [Int64], redoable: [Int64]) = ([], [])
  /// The numbers of the pages that are referred to.
  private(set) var needed: Set<Int64> = []

  init(_ database: Database) throws {
    self.database = database
    let version = try Int64.fetchOne(database, sql: "PRAGMA user_version")
    hasSecrets = version.map { StateSchema.versionsWithSecrets.contains($0) } ?? false
    lacksMoves = version.map { StateSchema.versionsWithoutMoves.contains($0) } ?? false
    lacksKeepPlaying = version.map { StateSchema.earlierVersions.contains($0) } ?? false
  }

  /// Returns the values that are needed before the queue itself is loaded.
  func header() throws -> StoredQueueHeader { try Self.header(stateRow()) }

  /// Returns the stored queue with its history; `nil` if none was ever stored.
  mutating func queue() throws -> StoredQueue? {
    let state = try stateRow()
    let header = try Self.header(state)
    guard let row = try Row.fetchOne(database, sql: "SELECT items, playing, tracks FROM arrangement") else {
      return nil
    }
    try readPages()
    let contents = try contents(row, state)
    let (undoable, redoable) = try steps()
    let pairs = try Self.numbers(row["tracks"])
    guard pairs.count.isMultiple(of: 2) else { throw FileError.damaged("tracks") }
    var tracks: [UInt32: QueuePage] = [:]
    for index in stride(from: 0, to: pairs.count, by: 2) {
      guard let key = UInt32(exactly: pairs[index]) else { throw FileError.damaged("tracks") }
      tracks[key] = try page(pairs[index + 1])
    }
    return StoredQueue(
      contents: contents, tracks: tracks, modes: header.modes, seed: header.seed,
      lastID: header.lastID, lastScan: lacksMoves ? 0 : try Self.integer(state["last_scan"]),
      undoable: undoable, redoable: redoable)
  }

  private func stateRow() throws -> Row {
    // Named columns let SQLite report a missing one; reading a row without it would end the process.
    let columns =
      "repeat, random, single, consume, stop_after, seed, last_id, volume, title, current, heard"
      + (lacksMoves ? "" : ", last_scan") + (lacksKeepPlaying ? ", NULL AS keep_playing" : ", keep_playing")
    guard let row = try Row.fetchOne(database, sql: "SELECT \(columns) FROM state WHERE id = 1") else {
      throw FileError.damaged("state")
    }
    return row
  }

  private mutating func readPages() throws {
    let rows = try Row.fetchCursor(database, sql: "SELECT number, sum, bytes FROM page")
    while let row = try rows.next() {
      let bytes = try Self.bytes(row[2])
      guard PageSum.sum(bytes) == (try Self.integer(row[1])) else { throw FileError.damaged("page") }
      let page = QueuePage(bytes: bytes)
      pages[try Self.integer(row[0])] = hasSecrets ? page.withoutSecrets ?? page : page
    }
  }

  private mutating func steps() throws -> (undoable: [StoredQueue.Step], redoable: [StoredQueue.Step]) {
    var undoable: [StoredQueue.Step] = []
    var redoable: [StoredQueue.Step] = []
    let columns = "number, is_undone, name, title, items, playing, current, heard"
    for row in try Row.fetchAll(database, sql: "SELECT \(columns) FROM step ORDER BY number") {
      let step = StoredQueue.Step(name: try title(row["name"]), contents: try contents(row, row))
      let number = try Self.integer(row["number"])
      if try Self.integer(row["is_undone"]) == 0 {
        undoable.append(step)
        stepNumbers.undoable.append(number)
      } else {
        redoable.append(step)
        stepNumbers.redoable.append(number)
      }
    }
    return (undoable, redoable)
  }

  private mutating func contents(_ row: Row, _ state: Row) throws -> StoredQueue.Contents {
    let elapsed = try Self.integer(state["heard"])
    let order = row["playing"] as DatabaseValue
    return StoredQueue.Contents(
      title: try title(state["title"]), items: try pages(row["items"]),
      order: order.isNull ? nil : try pages(order),
      current: try Self.optionalInteger(state["current"]).map { UInt64(bitPattern: $0) },
      elapsed: .nanoseconds(max(0, elapsed)))
  }

  private func title(_ value: DatabaseValue) throws -> String {
    let text = try Self.anyText(value)
    return hasSecrets ? AddressSecrets.removed(from: text) : text
  }

  private mutating func pages(_ value: DatabaseValue) throws -> [QueuePage] {
    var found: [QueuePage] = []
    for number in try Self.numbers(value) { found.append(try page(number)) }
    return found
  }

  private mutating func page(_ number: Int64) throws -> QueuePage {
    guard let page = pages[number] else { throw FileError.damaged("missing page \(number)") }
    needed.insert(number)
    return page
  }
}

extension StateReader {
  private static func header(_ state: Row) throws -> StoredQueueHeader {
    StoredQueueHeader(
      modes: try modes(state), seed: UInt64(bitPattern: try integer(state["seed"])),
      lastID: UInt64(bitPattern: try integer(state["last_id"])),
      volume: try optionalInteger(state["volume"]).map { Int(clamping: min(max($0, 0), 100)) })
  }

  private static func modes(_ state: Row) throws -> QueueModes {
    var modes = QueueModes()
    modes.repeat = try name(state["repeat"])
    modes.random = try name(state["random"])
    modes.single = try name(state["single"])
    let consume = try integer(state["consume"])
    (modes.consume, modes.consumesOnce) = (consume != 0, consume == 2)
    let stop = state["stop_after"] as DatabaseValue
    modes.stopAfter = stop.isNull ? nil : try name(stop)
    let music = state["keep_playing"] as DatabaseValue
    modes.keepPlaying = music.isNull ? nil : KeepPlaying(try text(music))
    return modes
  }

  private static func name<Mode: RawRepresentable<String>>(_ value: DatabaseValue) throws -> Mode {
    guard let mode = Mode(rawValue: try text(value)) else { throw FileError.damaged("modes") }
    return mode
  }

  private static func integer(_ value: DatabaseValue) throws -> Int64 {
    guard case .int64(let number) = value.storage else { throw FileError.damaged("a number") }
    return number
  }

  private static func optionalInteger(_ value: DatabaseValue) throws -> Int64? {
    value.isNull ? nil : try integer(value)
  }

  private static func text(_ value: DatabaseValue) throws -> String {
    guard case .string(let text) = value.storage else { throw FileError.damaged("a text") }
    return text
  }

  /// Returns a string that is stored as a BLOB because it may contain NUL characters.
  private static func anyText(_ value: DatabaseValue) throws -> String {
    guard let text = String(validating: try bytes(value), as: UTF8.self) else {
      throw FileError.damaged("a text")
    }
    return text
  }

  private static func bytes(_ value: DatabaseValue) throws -> [UInt8] {
    guard case .blob(let data) = value.storage else { throw FileError.damaged("bytes") }
    return Array(data)
  }

  private static func numbers(_ value: DatabaseValue) throws -> [Int64] {
    guard case .blob(let data) = value.storage, let numbers = PageNumbers.numbers(data) else {
      throw FileError.damaged("page numbers")
    }
    return numbers
  }
}
