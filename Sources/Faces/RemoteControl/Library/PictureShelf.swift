import Synchronization
import SystemPackage

/// Keeps the pictures of which clients have fetched a part, so that the next part takes no reading: some at a time, and
/// few bytes.
final class PictureShelf: Sendable {
  /// What tells a picture from others, and from what it was before its file was changed.
  struct Key: Hashable, Sendable {
    let path: FilePath
    let modified: Int64
    let isEmbedded: Bool
  }

  /// The most bytes that all have together.
  private static let limit = 2 * Picture.sizeLimit
  private static let countLimit = 16

  private struct Shelf {
    var pictures: [(key: Key, picture: Picture)] = []
    var size = 0
  }

  private let shelf = Mutex(Shelf())

  /// The picture under `key`, which is kept, or else the one that `read` gives.
  func picture(_ key: Key, _ read: () -> Picture?) -> Picture? {
    let kept = shelf.withLock { shelf in shelf.pictures.first { $0.key == key }?.picture }
    if let kept { return kept }
    return read()
  }

  /// Keeps a picture for whoever fetches its next part.
  func keep(_ picture: Picture, _ key: Key) {
    shelf.withLock { shelf in
      guard !shelf.pictures.contains(where: { $0.key == key }) else { return }
      shelf.pictures.append((key, picture))
      shelf.size += picture.bytes.count
      while shelf.size > Self.limit || shelf.pictures.count > Self.countLimit {
        shelf.size -= shelf.pictures.removeFirst().picture.bytes.count
      }
    }
  }

  /// Lets go of a picture that was fetched to its end.
  func drop(_ key: Key) {
    shelf.withLock { shelf in
      guard let index = shelf.pictures.firstIndex(where: { $0.key == key }) else { return }
      shelf.size -= shelf.pictures.remove(at: index).picture.bytes.count
    }
  }
}
