// SPDX-License-Identifier: GPL-3.0-or-later

/// A library with everything that user interfaces need: in addition to the queries of ``LibraryRepository``, it finds
/// albums by name and stores stickers.
///
/// All calls block until the disk has been read or written. They may be made concurrently, from any thread outside the
/// cooperative pool.
public protocol MusicLibrary: LibraryRepository, AlbumCatalog, StickerRepository {
  /// A warning for the user about a problem with opening the library; `nil` if there was none.
  var warning: String? { get }

  /// Whether every existing directory of the library has been scanned, so that a file that is not in the library is not
  /// on disk either.
  var isScanned: Bool { get throws(LibraryError) }

  /// The number of files and directories that could not be added to the library; 0 if unknown.
  var problemCount: Int { get }

  /// Updates a small library with names that were added, removed or changed on disk, by checking the modification time
  /// of each directory. Returns `nil` if the library is larger or was never completely scanned.
  ///
  /// Waits at most one second for another scan to end; otherwise throws like ``scan(progress:isCancelled:)``. After an
  /// error, the library can still be queried.
  func refresh(isCancelled: @escaping @Sendable () -> Bool) throws(LibraryError) -> ScanSummary?

  /// Sets the closure that receives the file changes of scans that start from now on; `nil` removes it. It is called on
  /// the thread that runs the scan. If an error ends a scan, changes that were already reported may be undone.
  func onFileChange(_ handle: (@Sendable (FileChange) -> Void)?)
}
