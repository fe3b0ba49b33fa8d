// SPDX-License-Identifier: GPL-3.0-or-later

/// A library as faces use it: in addition to the flow's queries, albums can be found by name, and stickers are stored.
///
/// All calls block for as long as the disk does; they may be made concurrently, from any thread outside the cooperative
/// pool.
public protocol MusicLibrary: LibraryRepository, AlbumCatalog, StickerRepository {
  /// A warning for the user from opening it, or `nil` if there is none.
  var warning: String? { get }

  /// Whether the whole library has been scanned, so that a file that is not in it is not on the disk either. A
  /// directory that was never scanned counts only if it exists.
  var isScanned: Bool { get throws(LibraryError) }

  /// The number of files and directories that could not be added to the library; 0 if it is unknown.
  var problemCount: Int { get }

  /// Updates a small library with names that were added, removed or changed, by checking the modification time of each
  /// directory. Returns `nil` if the library is larger or was never completely scanned.
  ///
  /// Waits at most a second for another scan; otherwise throws like ``scan(progress:isCancelled:)``. After an error,
  /// the library can still be queried.
  func freshen(isCancelled: @escaping @Sendable () -> Bool) throws(LibraryError) -> ScanSummary?

  /// Sets the receiver of file changes for scans that start from now on, or removes it. It is called on the thread that
  /// runs the scan. An error that ends the scan may undo changes that were already reported.
  func witness(_ see: (@Sendable (FileChange) -> Void)?)
}
