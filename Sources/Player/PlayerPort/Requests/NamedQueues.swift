// SPDX-License-Identifier: GPL-3.0-or-later

/// A request about the user's queues, which have names.
package enum NamedQueueRequest: Codable, Sendable, Equatable {
  case list
  /// Make a queue current, which is created if there is none of this name.
  case use(String)
  /// Delete a queue that is not current. One with items is deleted only if `force` is set.
  case delete(String, force: Bool)
}

/// One of the user's queues.
package struct NamedQueue: Codable, Sendable, Equatable {
  package var name: String
  /// The number of items; `nil` if the stored queue cannot be read.
  package var count: Int?
  /// The title of its current track; `nil` if there is none.
  package var title: String?
  /// Whether this is the current queue.
  package var isCurrent: Bool
  /// Whether the request has created it.
  package var isNew = false
}
