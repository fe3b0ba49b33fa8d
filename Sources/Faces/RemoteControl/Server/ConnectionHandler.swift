import NIOCore
import NIOPosix

/// A connection of a client: lines in, answers out. On its event loop.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How many batches a client has obeyed on the event loop in a row, before it waits for a thread like all others.
  private static let turnLength = 16

  private let services: ServerServices
  private var framer = LineFramer()
  private var state = ConnectionState()
  private var client: ClientState
  /// What is being obeyed, while no thread does so.
  private var batch: CommandBatch?
  private var isObeying = false
  /// Whether ``proceed(_:)`` is at work, which sees to it that what is written goes out.
  private var isProceeding = false
  private var isReadWanted = false
  private var isClosing = false
  /// Whether the connection is to be closed as soon as what is being obeyed is answered.
  private var isEnding = false
  /// Whether the client has said all that it will say.
  private var hasSaidAll = false
  /// How many events the client was not told, since it does not read.
  private var missedCount = 0
  /// How many bytes of unfinished lists count for this client.
  private var heldSize = 0

  /// The connection of `client`.
  init(_ services: ServerServices, _ client: ClientState) {
    self.services = services
    self.client = client
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { greet(context) }
  }

  func channelActive(context: ChannelHandlerContext) { greet(context) }

  private func greet(_ context: ChannelHandlerContext) {
    write(["OK MPD \(RemoteServer.protocolVersion)"], context)
    context.read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    batch = nil
    isClosing = true
    services.budget.give(back: heldSize)
    heldSize = 0
    services.board.remove(client.id)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: In

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard !isClosing else { return }
    framer.append(&bytes)
    proceed(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReadWanted = true
    readOn(context)
  }

  /// Reads on, where that is wanted. Whoever sends faster than it is answered, or reads what it is answered, waits.
  private func readOn(_ context: ChannelHandlerContext) {
    guard isReadWanted, !isClosing, batch == nil, !isObeying, state.takesMore, context.channel.isWritable
    else {
      return
    }
    isReadWanted = false
    context.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed = event as? ChannelEvent {
      // It may still read: what it has asked for is answered first.
      hasSaidAll = true
      proceed(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Obeys and takes lines, as far as that goes without a thread.
  private func proceed(_ context: ChannelHandlerContext) {
    guard !isProceeding else { return }
    isProceeding = true
    var count = 0
    while !isClosing, !isObeying {
      if batch != nil {
        guard advance(context, isItsTurn: count < Self.turnLength) else { break }
        count += 1
      } else if state.takesMore, context.channel.isWritable, let piece = framer.next() {
        switch piece {
        case .tooLong:
          perform(.close("ACK [2@0] {} Line is longer than \(LineFramer.lineLimit) bytes"), context)
        case .line(let line): perform(state.take(line), context)
        }
      } else {
        break
      }
    }
    isProceeding = false
    if isClosing { return }
    // Which may make the channel writable again, and have this called.
    context.flush()
    if isClosing { return }
    let change = state.listSize - heldSize
    heldSize = state.listSize
    if !services.budget.take(change) {
      return perform(.close("ACK [51@0] {} Too much waits in command lists"), context)
    }
    if hasSaidAll, batch == nil, !isObeying, context.channel.isWritable {
      return perform(.close(nil), context)
    }
    readOn(context)
  }

  // MARK: Out

  /// Tells the client what has changed, if it waits for that.
  func note(_ subsystems: Subsystem, _ context: ChannelHandlerContext) {
    if !isClosing { perform(state.note(subsystems), context) }
  }

  /// Tells the client what happened, if it wants to be told; whoever does not read misses it, and is told how much that
  /// was later on.
  func tell(_ event: WatchedEvent, _ context: ChannelHandlerContext) {
    guard state.isWatching, !isClosing else { return }
    if missedCount > 0 || !context.channel.isWritable {
      missedCount += 1
      tellMissed(context)
    } else {
      write(["event: \(event.line)"], context)
    }
  }

  /// Closes the connection: at once, or behind the answer to what is being obeyed.
  func end(_ context: ChannelHandlerContext) {
    isEnding = true
    if batch == nil, !isObeying, !isClosing { perform(.close(nil), context) }
  }

  private func tellMissed(_ context: ChannelHandlerContext) {
    guard missedCount > 0, state.isWatching, !isClosing, context.channel.isWritable else { return }
    write(["event: \(WatchedEvent.missed(missedCount).line)"], context)
    missedCount = 0
    tellStatus(context)
  }

  private func tellStatus(_ context: ChannelHandlerContext) {
    write(["event: \(WatchedEvent.status(of: services.player).line)"], context)
  }

  private func perform(_ action: ConnectionState.Action?, _ context: ChannelHandlerContext) {
    switch action {
    case nil: break
    case .write(let lines): write(lines, context)
    case .watch:
      guard client.permission.contains(.read) else {
        return perform(
          .close("ACK [4@0] {segue_watch} you don't have permission for \"segue_watch\""), context)
      }
      missedCount = 0
      tellStatus(context)
    case .close(let line):
      isClosing = true
      write(line.map { [$0] } ?? [], context)
      // Behind all that was written, as far as a client that has said all reads it.
      guard hasSaidAll else {
        context.flush()
        return context.close(promise: nil)
      }
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
        bound.value.close(promise: nil)
      }
    case .run(let isList, let confirms, let lines):
      let work = CommandContext(
        player: services.player, announce: services.announce, client: client)
      batch = CommandBatch(isList ? .list(confirms: confirms) : .single, lines, work, table: services.table)
    }
  }

  private func write(_ lines: [String], _ context: ChannelHandlerContext) {
    guard !lines.isEmpty else { return }
    let text = lines.joined(separator: "\n") + "\n"
    write(ByteBuffer(string: text), context)
  }

  private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(bytes), promise: nil)
    if !isProceeding { context.flush() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    tellMissed(context)
    proceed(context)
    context.fireChannelWritabilityChanged()
  }

  /// Has the next piece of an answer made, unless the client has not read the last ones: here, or on a thread. Says
  /// whether it is made.
  private func advance(_ context: ChannelHandlerContext, isItsTurn: Bool) -> Bool {
    guard var batch, !isObeying, context.channel.isWritable else { return false }
    // Nobody obeys it twice: writing may make the channel writable again, and have this called.
    self.batch = nil
    if batch.lane == .immediate, isItsTurn {
      let (bytes, isLast) = batch.step()
      take(bytes, of: batch, isLast: isLast, context)
      return true
    }
    isObeying = true
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    // Which is the client's identity, and no other's as long as it is there.
    let channel = context.channel
    services.threads.obey(batch, on: context.eventLoop) { batch, bytes, isLast in
      let (handler, context) = bound.value
      handler.isObeying = false
      // What it has subscribed to meanwhile nobody reads.
      guard !handler.isClosing else { return handler.services.board.remove(ClientID(channel)) }
      handler.take(bytes, of: batch, isLast: isLast, context)
      handler.proceed(context)
    }
    return false
  }

  private func take(
    _ bytes: ByteBuffer, of batch: CommandBatch, isLast: Bool, _ context: ChannelHandlerContext
  ) {
    if !isLast {
      self.batch = batch
      // The next piece is made while this one is written, where the client has read the last ones.
      if batch.lane > .immediate { _ = advance(context, isItsTurn: false) }
    }
    if bytes.readableBytes > 0 { write(bytes, context) }
    guard isLast, !isClosing else { return }
    client = batch.context.client
    perform(isEnding || batch.context.isClosing ? .close(nil) : state.batchEnded(), context)
  }
}
