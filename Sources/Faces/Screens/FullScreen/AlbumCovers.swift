// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import SystemPackage
import Tagging

/// The covers of albums for the grid. They are drawn by block characters, of which a terminal receives far fewer
/// bytes than of images, on a thread of their own. Used on the main thread.
package final class AlbumCovers {
  /// A request to draw the cover of an album.
  package struct Request: Sendable, Hashable {
    let album: Int64
    let canvas: CoverCanvas
  }

  /// The maximum number of covers in memory.
  private static let limit = 512
  /// The number of albums from which on those that are visible stand for the library.
  private static let fewAlbums = 4

  /// The covers that have been drawn, by the IDs of their albums.
  private(set) var covers: [Int64: DrawnCover] = [:]
  private var hasFoundCover = false
  private var albumsWithoutCover: Set<Int64> = []
  private var canvas: CoverCanvas?
  private var visible: [Int64] = []
  private let worker = Worker<[Request]>(named: "segue-albums", [])

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - source: Reads the covers.
  ///   - path: Returns the path of a track of an album. It is called on the thread for covers, and may block.
  ///   - onDrawn: Called there with the cover for a request, or with `nil` if there is none.
  /// - Throws: `Errno` if no thread can be created.
  init(
    _ source: CoverSource, path: @escaping @Sendable (Int64) -> FilePath?,
    onDrawn: @escaping @Sendable (Request, DrawnCover?) -> Void
  ) throws(Errno) {
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { request in
      let picture = path(request.album).flatMap { source.picture(of: $0, limit: DrawnCover.sizeLimit) }
      onDrawn(request, picture.flatMap { DrawnCover($0, on: request.canvas) })
    }
  }

  deinit { worker.close() }

  /// Whether none of the visible albums has a cover, and none was found before. A few albums say nothing about others.
  var areMissing: Bool {
    !hasFoundCover && visible.count >= Self.fewAlbums && albumsWithoutCover.isSuperset(of: visible)
  }

  /// Requests the covers of the visible albums that have not been drawn on `canvas`.
  func request(_ albums: [Int64], on canvas: CoverCanvas) {
    guard albums != visible || canvas != self.canvas else { return }
    if canvas != self.canvas { forget() }
    self.canvas = canvas
    visible = albums
    if covers.count > Self.limit { covers = covers.filter { albums.contains($0.key) } }
    let wanted = albums.filter { covers[$0] == nil && !albumsWithoutCover.contains($0) }
    worker.post { $0 = wanted.map { Request(album: $0, canvas: canvas) } }
  }

  /// Stores the cover for a request.
  func receive(_ cover: DrawnCover?, for request: Request) {
    guard request.canvas == canvas else { return }
    hasFoundCover = hasFoundCover || cover != nil
    if let cover { covers[request.album] = cover } else { albumsWithoutCover.insert(request.album) }
  }

  /// Forgets all covers, which may have changed.
  func forget() {
    (covers, albumsWithoutCover, visible) = ([:], [], [])
  }
}
