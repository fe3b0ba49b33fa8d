import Synchronization

/// Which render loop works at present.
final class RendererSlot: Sendable {
  private let present: Mutex<RenderLoop>

  /// A slot that holds `loop`.
  init(_ loop: RenderLoop) { present = Mutex(loop) }

  /// The loop that works at present. Not for the render thread.
  var loop: RenderLoop { present.withLock { $0 } }

  /// Puts `loop` in its place.
  func replace(_ loop: RenderLoop) { present.withLock { $0 = loop } }
}
