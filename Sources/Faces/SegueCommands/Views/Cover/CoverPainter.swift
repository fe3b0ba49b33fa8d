import CoverDrawing
import MusicLibrary
import Platform
import Synchronization
import SystemPackage

/// Reads, decodes and draws covers on a thread of its own; of several that are asked for meanwhile, the last.
final class CoverPainter: Sendable {
  /// A cover that is to be drawn.
  struct Wish: Sendable, Hashable {
    /// The file of the track.
    let path: FilePath
    let canvas: CoverCanvas
  }

  private struct Work {
    var wish: Wish?
    var isBusy = false
  }

  private let work = Mutex(Work())
  private let onDrawn: @Sendable (Wish, DrawnCover?) -> Void

  /// A painter that calls `onDrawn` with what it drew, or with none where there is no cover; on its thread.
  init(onDrawn: @escaping @Sendable (Wish, DrawnCover?) -> Void) { self.onDrawn = onDrawn }

  /// Draws what is wished for, in place of what waits; where the system grants no thread, nothing.
  func draw(_ wish: Wish) {
    let isIdle = work.withLock { work in
      work.wish = wish
      defer { work.isBusy = true }
      return !work.isBusy
    }
    guard isIdle else { return }
    do throws(Errno) {
      _ = try WorkerThread(name: "segue-cover") { self.drawAll() }
    } catch {
      work.withLock { $0.isBusy = false }
    }
  }

  private func drawAll() {
    while let wish = next() {
      let picture = CoverFile.picture(of: wish.path, limit: DrawnCover.sizeLimit)
      onDrawn(wish, picture.flatMap { DrawnCover($0, on: wish.canvas) })
    }
  }

  private func next() -> Wish? {
    work.withLock { work in
      defer { work.wish = nil }
      work.isBusy = work.wish != nil
      return work.wish
    }
  }
}
