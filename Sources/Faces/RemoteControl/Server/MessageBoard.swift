import Synchronization

/// What clients say to each other: channels, each for whoever is subscribed to it. From any thread.
///
/// The limits are MPD's, but for the size of what waits.
final class MessageBoard: Sendable {
  /// A message, and the channel that it came through.
  struct Message: Sendable, Equatable {
    let channel: String
    let text: String
  }

  /// The most channels that a client is subscribed to.
  static let subscriptionLimit = 16
  /// The most messages that wait for a client to read them.
  static let messageLimit = 64
  /// The most bytes of them.
  static let sizeLimit = 1 << 17

  private struct Subscriber {
    var channels: Set<String> = []
    var messages: [Message] = []
    var size = 0

    func takes(_ message: Message) -> Bool {
      channels.contains(message.channel) && messages.count < messageLimit
        && size + message.size <= sizeLimit
    }
  }

  // Who never subscribes to anything has no place in it.
  private let subscribers = Mutex<[ClientID: Subscriber]>([:])
  private let announce: @Sendable (Subsystem, Set<ClientID>?) -> Void

  /// One without channels. `announce` is called with what has changed, and for whom: `nil` for all clients.
  init(announce: @escaping @Sendable (Subsystem, Set<ClientID>?) -> Void) { self.announce = announce }

  /// The channels that anybody is subscribed to, in order.
  var channels: [String] {
    subscribers.withLock { subscribers in
      subscribers.values.reduce(into: Set<String>()) { $0.formUnion($1.channels) }
    }.sorted()
  }

  /// Has `client` be told what is said in `channel` from now on.
  ///
  /// - Throws: where no channel may have that name, or the client is subscribed to it already, or to too many.
  func subscribe(_ client: ClientID, to channel: String) throws(ProtocolError) {
    try check(channel)
    let refusal: ProtocolError? = subscribers.withLock { subscribers in
      let channels = subscribers[client]?.channels ?? []
      if channels.contains(channel) { return ProtocolError(.exists, "already subscribed to this channel") }
      guard channels.count < Self.subscriptionLimit else {
        return ProtocolError(.exists, "subscription list is full")
      }
      subscribers[client, default: Subscriber()].channels.insert(channel)
      return nil
    }
    if let refusal { throw refusal }
    announce(.subscription, nil)
  }

  /// Has `client` not be told what is said in `channel` any more.
  ///
  /// - Throws: where it was not.
  func unsubscribe(_ client: ClientID, from channel: String) throws(ProtocolError) {
    let isRemoved = subscribers.withLock { subscribers in
      subscribers[client]?.channels.remove(channel) != nil
    }
    guard isRemoved else { throw ProtocolError(.noExist, "not subscribed to this channel") }
    announce(.subscription, nil)
  }

  /// Ends all that `client` was subscribed to: it is gone.
  func remove(_ client: ClientID) {
    let subscriber = subscribers.withLock { $0.removeValue(forKey: client) }
    if let subscriber, !subscriber.channels.isEmpty { announce(.subscription, nil) }
  }

  /// Says something in `channel` to whoever is subscribed to it, but for those for whom too much waits already.
  ///
  /// - Throws: where no channel may have that name, or nobody could be told.
  func send(_ text: String, to channel: String) throws(ProtocolError) {
    try check(channel)
    let message = Message(channel: channel, text: text)
    let told: Set<ClientID> = subscribers.withLock { subscribers in
      var told: Set<ClientID> = []
      for (client, subscriber) in subscribers where subscriber.takes(message) {
        subscribers[client]?.messages.append(message)
        subscribers[client]?.size += message.size
        told.insert(client)
      }
      return told
    }
    if told.isEmpty { throw ProtocolError(.noExist, "nobody is subscribed to this channel") }
    announce(.message, told)
  }

  /// What was said to `client` since it read last, which it has read then.
  func takeMessages(of client: ClientID) -> [Message] {
    subscribers.withLock { subscribers in
      let messages = subscribers[client]?.messages ?? []
      subscribers[client]?.messages = []
      subscribers[client]?.size = 0
      return messages
    }
  }

  private func check(_ channel: String) throws(ProtocolError) {
    let isName = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: ":"):
        true
      default: false
      }
    }
    guard !channel.isEmpty, channel.utf8.allSatisfy(isName) else {
      throw ProtocolError(.argument, "invalid channel name")
    }
  }
}

extension MessageBoard.Message {
  fileprivate var size: Int { channel.utf8.count + text.utf8.count }
}
