import AudioCore
import Platform
import Synchronization

/// The decode thread: reads sources one after the other into the ring, as commanded.
///
/// It fills the ring, sleeps until half of it is free, and fills it again. Only this thread touches decoders, so that a file
/// that blocks delays nothing else.
final class DecodeLoop {
  private enum Next {
    case unknown
    case nothing
    case source(PlaybackSource)
  }

  private let open: DecoderFactory
  private let share: EngineShare
  /// Works here, too, where the output is a file: handing every block to another core costs more than converting it.
  private let renderLoop: RenderLoop
  private let commands: Mailbox<DecodeCommand>

  private var generation: UInt64 = 0
  /// The source that is read, or was read last, as long as what follows it matters.
  private var source: PlaybackSource?
  private var decoder: (any AudioDecoder)?
  private var frame: Int64 = 0
  private var next = Next.unknown

  init(
    open: @escaping DecoderFactory, share: EngineShare, commands: Mailbox<DecodeCommand>,
    renderLoop: RenderLoop
  ) {
    self.open = open
    self.renderLoop = renderLoop
    self.share = share
    self.commands = commands
  }

  /// Works until it is told to quit.
  func run() {
    while true {
      while let command = commands.take() {
        if command == .quit { return }
        obey(command)
      }
      if !step() { share.decodeSignal.wait() }
    }
  }

  private func obey(_ command: DecodeCommand) {
    switch command {
    case .start(let source, let place, let generation):
      self.generation = generation
      begin(source, at: place)
    case .follow(let id, let source):
      if id == self.source?.id { next = source.map(Next.source) ?? .nothing }
    case .stop, .quit:
      source = nil
      decoder = nil
    }
  }

  /// Does a piece of work; `false` where there is none at present.
  private func step() -> Bool {
    if let decoder {
      guard let room = unsafe share.ring.nextBlock() else { return false }
      unsafe fill(room, from: decoder)
      return true
    }
    guard source != nil else { return false }
    switch next {
    case .unknown: return false
    case .nothing: return end()
    case .source(let source):
      begin(source, at: .zero)
      return true
    }
  }

  private func begin(_ source: PlaybackSource, at place: Duration) {
    self.source = source
    next = .unknown
    decoder = nil
    frame = 0
    do throws(DecodingError) {
      let decoder = try open(source.path)
      if place > .zero {
        frame = decoder.format.frame(at: place)
        try decoder.seek(toFrame: frame)
      }
      self.decoder = decoder
      share.inputs.post(.decoding(source.id, generation: generation))
    } catch {
      share.inputs.post(.decodingFailed(source.id, error, generation: generation))
    }
  }

  private func fill(_ room: UnsafeMutableBufferPointer<Float>, from decoder: any AudioDecoder) {
    guard let source else { return }
    let format = decoder.format
    let capacity = room.count / format.channels
    var filled = 0
    var isAtEnd = false
    while filled < capacity, !isAtEnd {
      let rest = unsafe UnsafeMutableBufferPointer(
        rebasing: room[(filled * format.channels)..<(capacity * format.channels)])
      let count = unsafe decoder.read(into: rest)
      isAtEnd = count <= 0
      filled += max(0, count)
    }
    if filled > 0 {
      commit(.frames, of: source, format, frameCount: filled, sourceFrameCount: decoder.frameCount)
      frame += Int64(filled)
    } else if frame == 0 {
      share.inputs.post(
        .decodingFailed(
          source.id, DecodingError(path: source.path, kind: .empty, reason: "holds no sound"),
          generation: generation))
    }
    if isAtEnd { self.decoder = nil }
  }

  /// Marks that nothing follows; `false` where the ring has no room for the mark yet.
  private func end() -> Bool {
    guard let source, unsafe share.ring.nextBlock() != nil else { return false }
    commit(.end, of: source, frameCount: 0, sourceFrameCount: nil)
    self.source = nil
    return true
  }

  private func commit(
    _ kind: BlockHeader.Kind, of source: PlaybackSource, _ format: AudioFormat? = nil, frameCount: Int,
    sourceFrameCount: Int64?
  ) {
    share.ring.commit(
      BlockHeader(
        kind: kind, generation: generation, source: source.id, format: format, startFrame: frame,
        frameCount: frameCount, sourceFrameCount: sourceFrameCount))
    if share.outputKeepsTime.load(ordering: .relaxed) || !renderLoop.workForDecoder() {
      share.renderSignal.wake()
    }
  }
}
