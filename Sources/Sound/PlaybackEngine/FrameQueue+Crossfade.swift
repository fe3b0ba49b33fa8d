import AudioCore

extension FrameQueue {
  /// Mixes the last frames that wait with the first ones of `part`, over `length` or as far as both reach; a source
  /// fades in over no more than its first half, so that it can be heard.
  mutating func crossfade(into part: StreamPart, over length: Duration) {
    let format = part.format
    let wanted = min(Int64(freshCount), format.frame(at: length))
    let half = part.reader.rest.map { format.frame(at: $0 / 2) } ?? wanted
    let room = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: Int(clamping: min(wanted, half)) * format.channels)
    defer { unsafe room.deallocate() }
    var frames: StreamFrames?
    var filled = 0
    while filled < room.count,
      case .frames(let piece) = unsafe part.read(into: .init(rebasing: room[filled...]))
    {
      frames = frames ?? piece
      filled += piece.count * format.channels
    }
    guard var frames else { return }
    frames.count = filled / format.channels
    frames.origin.isProcessed = true
    frames.isCrossfade = true
    let outgoing = takeLast(frames.count)
    unsafe outgoing.withUnsafeBufferPointer { outgoing in
      _ = unsafe CrossfadeCurve(frames: frames.count).mix(
        outgoing, into: UnsafeMutableBufferPointer(rebasing: room[..<filled]), from: 0,
        channels: format.channels)
    }
    unsafe add(frames, UnsafeBufferPointer(room))
    age()
  }
}
