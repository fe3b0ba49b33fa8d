// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// The messages that clients send to each other, through channels to which they subscribe. Safe to use from any thread.
///
/// The limits are those of MPD, except for the size of unread messages.
final class MessageBoard: Sendable {
  /// A message, and the channel to which it was sent.
  struct Message: Sendable, Equatable {
    let channel: String
    let text: String
  }

  /// The maximum number of channels to which a client can be subscribed.
  static let subscriptionLimit = 16
  /// The maximum number of unread messages of a client.
  static let messageLimit = 64
  /// The maximum total size in bytes of the unread messages of a client.
  static let sizeLimit = 1 << 17

  private struct Subscriber {
    var channels: Set<String> = []
    var messages: [Message] = []
    var size = 0

    func accepts(_ message: Message) -> Bool {
      channels.contains(message.channel) && messages.count < messageLimit
        && size + message.size <= sizeLimit
    }
  }

  // Contains only clients that have subscribed to a channel.
  private let subscribers = Mutex<[ClientID: Subscriber]>([:])
  private let announce: @Sendable (Subsystem, Set<ClientID>?) -> Void

  /// Creates a board without channels.
  ///
  /// - Parameter announce: Called with the changes and the clients to notify; `nil` for all clients.
  init(announce: @escaping @Sendable (Subsystem, Set<ClientID>?) -> Void) { self.announce = announce }

  /// The names of the channels that have subscribers, sorted.
  var channels: [String] {
    subscribers.withLock { subscribers in
      subscribers.values.reduce(into: Set<String>()) { $0.formUnion($1.channels) }
    }.sorted()
  }

  /// Subscribes `client` to `channel`.
  ///
  /// - Throws: `ProtocolError` if the name is invalid, or if the client is already subscribed to this channel or to too
  ///   many.
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

  /// Unsubscribes `client` from `channel`.
  ///
  /// - Throws: `ProtocolError` if the client is not subscribed.
  func unsubscribe(_ client: ClientID, from channel: String) throws(ProtocolError) {
    let isRemoved = subscribers.withLock { subscribers in
      subscribers[client]?.channels.remove(channel) != nil
    }
    guard isRemoved else { throw ProtocolError(.noExist, "not subscribed to this channel") }
    announce(.subscription, nil)
  }

  /// Removes all subscriptions and messages of a client whose connection is closed.
  func remove(_ client: ClientID) {
    let subscriber = subscribers.withLock { $0.removeValue(forKey: client) }
    if let subscriber, !subscriber.channels.isEmpty { announce(.subscription, nil) }
  }

  /// Sends `text` to the subscribers of `channel`, except those that have too many unread messages.
  ///
  /// - Throws: `ProtocolError` if the name is invalid, or if no client can receive the message.
  func send(_ text: String, to channel: String) throws(ProtocolError) {
    try check(channel)
    let message = Message(channel: channel, text: text)
    let notified: Set<ClientID> = subscribers.withLock { subscribers in
      var notified: Set<ClientID> = []
      for (client, subscriber) in subscribers where subscriber.accepts(message) {
        subscribers[client]?.messages.append(message)
        subscribers[client]?.size += message.size
        notified.insert(client)
      }
      return notified
    }
    if notified.isEmpty { throw ProtocolError(.noExist, "nobody is subscribed to this channel") }
    announce(.message, notified)
  }

  /// Removes and returns the unread messages of `client`.
  func takeMessages(of client: ClientID) -> [Message] {
    subscribers.withLock { subscribers in
      let messages = subscribers[client]?.messages ?? []
      subscribers[client]?.messages = []
      subscribers[client]?.size = 0
      return messages
    }
  }

  private func check(_ channel: String) throws(ProtocolError) {
    let isNameByte = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: ":"):
        true
      default: false
      }
    }
    guard !channel.isEmpty, channel.utf8.allSatisfy(isNameByte) else {
      throw ProtocolError(.argument, "invalid channel name")
    }
  }
}

extension MessageBoard.Message {
  fileprivate var size: Int { channel.utf8.count + text.utf8.count }
}
