// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import NIOPosix
import PlayerPort

/// The channel handler for the connection of one client. It receives lines and writes responses, on the event loop of
/// the connection.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The number of batches of one client that may be executed on the event loop in a row. After that, a batch is
  /// executed on another thread.
  private static let turnLength = 16

  private let services: ServerServices
  private var framer = LineFramer()
  private var state = ConnectionState()
  private var client: ClientState
  /// The batch to be continued; `nil` if there is none, or while a thread is executing it.
  private var batch: CommandBatch?
  private var isExecuting = false
  /// Whether ``proceed(_:)`` is running. It flushes what has been written meanwhile.
  private var isProceeding = false
  private var isReadWanted = false
  private var isClosing = false
  /// Whether to close the connection after the response to the current batch.
  private var isEnding = false
  /// Whether the client has closed its sending side of the connection.
  private var hasClosedInput = false
  /// The port of the client; `nil` if it sends commands.
  private var port: PortSession?
  /// The number of requests of the port whose replies have not been written yet.
  private var awaitedReplies = 0
  /// The number of bytes that are reserved in the budget for the unfinished command list of this client.
  private var listSize = 0

  /// Creates the handler for the connection of `client`.
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
    port?.end()
    // It refers to this handler.
    port = nil
    services.budget.release(listSize)
    listSize = 0
    services.board.remove(client.id)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: Receiving

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard !isClosing else { return }
    framer.append(&bytes)
    proceed(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReadWanted = true
    resumeReading(context)
  }

  /// Continues to read if the channel has requested it. Nothing is read while a batch is being executed, or while the
  /// client does not read its responses.
  private func resumeReading(_ context: ChannelHandlerContext) {
    guard isReadWanted, !isClosing, batch == nil, !isExecuting, state.takesMore, context.channel.isWritable
    else {
      return
    }
    isReadWanted = false
    context.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed = event as? ChannelEvent {
      // The client may still be reading, so its requests are answered first.
      hasClosedInput = true
      proceed(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Processes received lines and executes commands, until it has to wait for a thread, the client or more input.
  private func proceed(_ context: ChannelHandlerContext) {
    guard !isProceeding else { return }
    isProceeding = true
    var count = 0
    while !isClosing, !isExecuting {
      if batch != nil {
        guard advance(context, isItsTurn: count < Self.turnLength) else { break }
        count += 1
      } else if state.takesMore, context.channel.isWritable,
        let piece = framer.next(upTo: state.isPort ? LineFramer.portLimit : LineFramer.lineLimit)
      {
        switch piece {
        case .tooLong:
          perform(.close("ACK [2@0] {} Line is longer than \(LineFramer.lineLimit) bytes"), context)
        case .line(let line): perform(state.receive(line), context)
        }
      } else {
        break
      }
    }
    isProceeding = false
    if isClosing { return }
    // Flushing may make the channel writable again, and so call `proceed` again.
    context.flush()
    if isClosing { return }
    let change = state.listSize - listSize
    listSize = state.listSize
    if !services.budget.reserve(change) {
      return perform(.close("ACK [51@0] {} Too much data in unfinished command lists"), context)
    }
    if hasClosedInput, batch == nil, !isExecuting, context.channel.isWritable {
      return perform(.close(nil), context)
    }
    resumeReading(context)
  }

  // MARK: Sending

  /// Notifies the client of changes, if it is waiting for these subsystems.
  func notify(_ subsystems: Subsystem, _ context: ChannelHandlerContext) {
    if !isClosing { perform(state.recordChanges(subsystems), context) }
  }

  /// Closes the connection, either now or after the response to the current batch.
  func end(_ context: ChannelHandlerContext) {
    isEnding = true
    if batch == nil, !isExecuting, awaitedReplies == 0, !isClosing { perform(.close(nil), context) }
  }

  private func perform(_ action: ConnectionState.Action?, _ context: ChannelHandlerContext) {
    switch action {
    case nil: break
    case .write(let lines): write(lines, context)
    case .openPort: openPort(context)
    case .receive(let line):
      switch port?.receive(line) {
      case .reply?: awaitedReplies += 1
      case .updates?: break
      case .refused?, nil: perform(.close(nil), context)
      }
    case .close(let line):
      isClosing = true
      write(line.map { [$0] } ?? [], context)
      // Close after everything is written, since a client that has closed its sending side may still be reading.
      guard hasClosedInput else {
        context.flush()
        return context.close(promise: nil)
      }
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
        bound.value.close(promise: nil)
      }
    case .run(let isList, let confirms, let lines):
      let commandContext = CommandContext(
        player: services.player, announce: services.announce, client: client)
      batch = CommandBatch(isList ? .list(confirms: confirms) : .single, lines, commandContext, table: services.table)
    }
  }

  private func openPort(_ context: ChannelHandlerContext) {
    guard client.permission.contains(.owner) else {
      return perform(.close("ACK [4@0] {segue_port} you don't have permission for \"segue_port\""), context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    port = PortSession(services.player.port) { line, isReply in
      bound.eventLoop.execute {
        let (handler, context) = bound.value
        guard !handler.isClosing else { return }
        handler.write([line], context)
        if isReply { handler.awaitedReplies -= 1 }
        if handler.isEnding { handler.end(context) }
      }
    }
    write(["OK"], context)
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
    proceed(context)
    context.fireChannelWritabilityChanged()
  }

  /// Produces the next piece of the response, either here or on another thread. Does nothing while the client has not
  /// read the previous pieces. Returns whether a piece was produced here.
  private func advance(_ context: ChannelHandlerContext, isItsTurn: Bool) -> Bool {
    guard var batch, !isExecuting, context.channel.isWritable else { return false }
    // Clear `batch` first, so that it is not executed twice: writing may make the channel writable again, and so call
    // `advance` again.
    self.batch = nil
    if batch.lane == .immediate, isItsTurn {
      let (bytes, isLast) = batch.step()
      handlePiece(bytes, of: batch, isLast: isLast, context)
      return true
    }
    isExecuting = true
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    // The channel is the client's identity, which is unique only while the channel exists.
    let channel = context.channel
    services.threads.execute(batch, on: context.eventLoop) { batch, bytes, isLast in
      let (handler, context) = bound.value
      handler.isExecuting = false
      // The client is no longer connected, so the channels to which the batch has subscribed it have no reader.
      guard !handler.isClosing else { return handler.services.board.remove(ClientID(channel)) }
      handler.handlePiece(bytes, of: batch, isLast: isLast, context)
      handler.proceed(context)
    }
    return false
  }

  /// Writes a piece of the response, and continues or finishes the batch.
  private func handlePiece(
    _ bytes: ByteBuffer, of batch: CommandBatch, isLast: Bool, _ context: ChannelHandlerContext
  ) {
    if !isLast {
      self.batch = batch
      // The next piece is produced while this one is being written, if the client has read the previous ones.
      if batch.lane > .immediate { _ = advance(context, isItsTurn: false) }
    }
    if bytes.readableBytes > 0 { write(bytes, context) }
    guard isLast, !isClosing else { return }
    client = batch.context.client
    perform(isEnding || batch.context.isClosing ? .close(nil) : state.batchEnded(), context)
  }
}
