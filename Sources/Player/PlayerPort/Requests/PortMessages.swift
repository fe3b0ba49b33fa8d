// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials

/// What a face sends to a player in another process: one JSON object on each line.
package enum ClientMessage: Codable, Sendable, Equatable {
  /// Perform a request, after those that were sent before.
  case send(PlayerRequest, id: UInt64)
  /// Reply with rows of the queue, without waiting for requests.
  case queue(Range<Int>, id: UInt64)
  /// Answer a question about lists, without waiting for requests.
  case list(ListRequest, id: UInt64)
  /// Send a snapshot as soon as the state has changed since the last one; the first one at once. It has the events
  /// after number `events`; none if that is `nil`.
  case observe(everyPosition: Bool, events: Int?)
  /// Send the next frame of the sound, with this number of bands. The first one for an ID comes at once.
  case sound(bands: Int, id: UInt64)
  /// Send no more frames for this ID.
  case endSound(id: UInt64)
}

/// What a player sends to a face in another process: one JSON object on each line.
package enum PlayerMessage: Codable, Sendable, Equatable {
  case reply(PlayerReply, id: UInt64)
  case rows(QueueRows, id: UInt64)
  case list(ListAnswer, id: UInt64)
  case failure(PlayerError, id: UInt64)
  case snapshot(PlayerSnapshot)
  case sound(SoundFrame, id: UInt64)
}

/// Encodes and decodes values as JSON on one line.
package enum JSONLine {
  /// Returns a value as JSON, without a line break; an empty object if it cannot be encoded.
  package static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Returns the value that `line` encodes; `nil` if it is not of this type.
  package static func value<Value: Decodable>(_ line: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }
}
