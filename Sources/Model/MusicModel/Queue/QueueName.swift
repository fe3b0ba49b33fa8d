// SPDX-License-Identifier: GPL-3.0-or-later

/// The name of one of the user's queues.
public struct QueueName: Sendable, Hashable, CustomStringConvertible {
  /// The name of the queue that every user has.
  public static let standard = QueueName(known: "default")
  /// The maximum length in bytes of UTF-8. A file name has room for three characters a byte.
  public static let byteLimit = 80

  public let description: String

  private init(known name: String) { description = name }

  /// Creates a name; `nil` if it is empty, too long, begins or ends with white space, or has characters without a
  /// visible form, such as line breaks.
  public init?(_ name: String) {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, name.utf8.count <= Self.byteLimit,
      !first.properties.isWhitespace, !last.properties.isWhitespace,
      scalars.allSatisfy({ Self.isVisible($0.properties.generalCategory) })
    else { return nil }
    description = name
  }

  private static func isVisible(_ category: Unicode.GeneralCategory) -> Bool {
    switch category {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate, .privateUse: false
    default: true
    }
  }
}

extension PlayQueue {
  /// Replaces this queue with the queue `name`: as it was left or, if it was not current since the program started, as
  /// it was stored. An ID is never given to items of two queues.
  mutating func use(_ name: QueueName, _ stored: StoredQueue) {
    guard name != self.name, var next = left[name] ?? PlayQueue(stored, name: name) else { return }
    var former = self
    former.left = [:]
    next.left = left
    next.left[name] = nil
    next.left[self.name] = former
    next.lastID = max(lastID, next.lastID)
    (next.version, next.log) = (version, log)
    (next.stepCount, next.lastEdit) = (stepCount, lastEdit)
    self = next
  }
}

/// The queues of a user, each with a repository of its own. Safe to use from any thread; all calls may block while the
/// disk is read or written.
public protocol QueueCollection: Sendable {
  /// The name of the queue that is current when a program starts.
  var current: QueueName { get }
  /// The names of the queues that are stored, and of the standard and the current one.
  var names: [QueueName] { get }

  /// Returns the repository of a queue, always the same one. Nothing is created until something is stored in it.
  func repository(of name: QueueName) -> any QueueRepository

  /// Makes a queue the current one. If this throws, nothing has changed.
  func setCurrent(_ name: QueueName) throws(QueueStorageError)

  /// Deletes what is stored of a queue.
  func delete(_ name: QueueName) throws(QueueStorageError)

  /// Closes all repositories.
  func close()
}
