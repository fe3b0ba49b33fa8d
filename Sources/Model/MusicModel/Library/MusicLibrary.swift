/// A library as faces see it: besides what the flow asks of it, its albums are found by name, and stickers are kept.
///
/// All calls block while the disk does; from any thread outside of the cooperative pool, and from several at once.
public protocol MusicLibrary: LibraryRepository, AlbumCatalog, StickerRepository {
  /// What the user should know of opening it; `nil` where there is nothing.
  var warning: String? { get }

  /// Whether it was ever read to its end, so that what is not known is not on the disk. Of several directories, one
  /// that was never read because it is not there does not count.
  var isScanned: Bool { get throws(LibraryError) }

  /// The number of files and directories that cannot be in the library; 0 where it is unknown.
  var problemCount: Int { get }

  /// Brings a library that is not large in step with the disk as far as names have come, gone or changed: by looking
  /// at each directory's time. `nil` where it is larger, or was never read to its end.
  ///
  /// Waits for another scan no longer than a second; throws otherwise as ``scan(progress:isCancelled:)`` does, and what
  /// is known can be asked all the same.
  func freshen(isCancelled: @escaping @Sendable () -> Bool) throws(LibraryError) -> ScanSummary?

  /// Has `see` receive what scans that begin from now on do with each file that has changed, on the thread that calls
  /// them; `nil` for no receiver. An error that ends the scan may undo what was reported.
  func witness(_ see: (@Sendable (FileChange) -> Void)?)
}
