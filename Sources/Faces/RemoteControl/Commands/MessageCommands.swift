extension CommandTable {
  /// What clients say to each other.
  static func messages(_ board: MessageBoard) -> [RemoteCommand] {
    [
      RemoteCommand("subscribe", .read, arguments: 1...1) { arguments, context throws(ProtocolError) in
        try board.subscribe(context.client.id, to: arguments[0])
      },
      RemoteCommand("unsubscribe", .read, arguments: 1...1) { arguments, context throws(ProtocolError) in
        try board.unsubscribe(context.client.id, from: arguments[0])
      },
      RemoteCommand("channels", .read) { _, context in
        for channel in board.channels { context.response.add("channel", channel) }
      },
      RemoteCommand("readmessages", .read) { _, context in
        for message in board.takeMessages(of: context.client.id) {
          context.response.add("channel", message.channel)
          context.response.add("message", message.text)
        }
      },
      RemoteCommand("sendmessage", .control, arguments: 2...2) { arguments, _ throws(ProtocolError) in
        try board.send(arguments[1], to: arguments[0])
      },
    ]
  }
}
