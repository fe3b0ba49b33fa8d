// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization
import SystemPackage
import Tagging

extension CommandTable {
  /// The commands that read the pictures of songs.
  static let pictures: [RemoteCommand] = [
    RemoteCommand("albumart", .read, arguments: 2...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let offset = try arguments.unsigned(1)
      let tracks = try LibraryTracks(context)
      guard let resolved = try? tracks.filePath(arguments[0]),
        let cover = CoverFile(in: resolved.directory, reach: tracks.reach, limit: Picture.sizeLimit)
      else { throw ProtocolError(.noExist, "No file exists") }
      let key = PictureCache.Key(path: cover.path, modified: cover.modificationTime, isEmbedded: false)
      let picture = try context.library.pictures.picture(key) {
        let bytes = (try? AtomicFile.read(cover.path, limit: Picture.sizeLimit)) ?? nil
        return bytes.map { Picture(bytes: $0, type: nil) }
      }
      guard let picture else { throw ProtocolError(.noExist, "No file exists") }
      try add(picture, key, from: offset, &context)
    },
    RemoteCommand("readpicture", .read, arguments: 2...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let offset = try arguments.unsigned(1)
      let tracks = try LibraryTracks(context)
      guard case .file(let name)? = try? tracks.filePath(arguments[0]), let (path, status) = tracks.reach.file(name)
      else { throw ProtocolError(.noExist, "No such song") }
      let key = PictureCache.Key(path: path, modified: status.modificationTime, isEmbedded: true)
      let covers = try context.library.covers
      let picture = try context.library.pictures.picture(key) {
        covers.embeddedPicture(of: path, limit: Picture.sizeLimit).map {
          Picture(bytes: $0.bytes, type: $0.mimeType)
        }
      }
      // The response for a song without a picture is empty.
      if let picture { try add(picture, key, from: offset, &context) }
    },
  ]

  private static func add(
    _ picture: Picture, _ key: PictureCache.Key, from offset: Int, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let isLast = try picture.add(from: offset, limit: context.client.binaryLimit, to: &context.response)
    let cache = try context.library.pictures
    if isLast { cache.remove(key) } else { cache.insert(picture, key) }
  }
}

extension LibraryTracks.ResolvedPath {
  /// The path itself if it is a directory, otherwise the directory of the file.
  fileprivate var directory: FilePath {
    switch self {
    case .file(let path): path.removingLastComponent()
    case .directory(let path): path
    }
  }
}

/// A cache of pictures that clients have fetched in part, so that the file need not be read again for the next part.
/// The number of pictures and their total size are limited.
final class PictureCache: Sendable {
  /// The key of a picture in the cache. It changes when the file changes.
  struct Key: Hashable, Sendable {
    let path: FilePath
    let modified: Int64
    let isEmbedded: Bool
  }

  /// The maximum total size of the pictures in bytes.
  private static let limit = 2 * Picture.sizeLimit
  private static let countLimit = 16

  private struct Contents {
    var pictures: [(key: Key, picture: Picture)] = []
    var size = 0
  }

  private let contents = Mutex(Contents())

  /// Returns the cached picture for `key`, or the result of `read` if there is none.
  func picture(_ key: Key, _ read: () -> Picture?) -> Picture? {
    let cached = contents.withLock { contents in contents.pictures.first { $0.key == key }?.picture }
    if let cached { return cached }
    return read()
  }

  /// Caches a picture for the next request of the client that is fetching it.
  func insert(_ picture: Picture, _ key: Key) {
    contents.withLock { contents in
      guard !contents.pictures.contains(where: { $0.key == key }) else { return }
      contents.pictures.append((key, picture))
      contents.size += picture.bytes.count
      while contents.size > Self.limit || contents.pictures.count > Self.countLimit {
        contents.size -= contents.pictures.removeFirst().picture.bytes.count
      }
    }
  }

  /// Removes a picture that has been fetched completely.
  func remove(_ key: Key) {
    contents.withLock { contents in
      guard let index = contents.pictures.firstIndex(where: { $0.key == key }) else { return }
      contents.size -= contents.pictures.remove(at: index).picture.bytes.count
    }
  }
}

/// A picture that is sent to clients in chunks.
struct Picture: Sendable {
  /// The maximum size in bytes.
  static let sizeLimit = 32 << 20

  let bytes: [UInt8]
  /// The MIME type stated in the file; `nil` if it is not to be sent.
  let type: String?

  /// Adds the chunk that begins at `offset`, of at most `limit` bytes, to a response. Returns whether it was the last
  /// one.
  func add(from offset: Int, limit: Int, to response: inout Response) throws(ProtocolError) -> Bool {
    guard offset <= bytes.count else { throw ProtocolError(.argument, "Offset too large") }
    response.add("size", bytes.count)
    if let type, !type.isEmpty { response.add("type", type) }
    let chunk = bytes[offset...].prefix(limit)
    response.add(binary: chunk)
    return chunk.endIndex == bytes.count
  }
}
