// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import Synchronization
import SystemPackage

/// The last library besides the one that is open in this process in which a face has looked. It stays open, since the
/// face shows it window by window. Safe to use from any thread.
final class OtherLibrary: Sendable {
  private struct Opened: Sendable {
    let request: LibraryRequest
    let index: any BrowsableLibrary
  }

  private let last = Mutex<Opened?>(nil)
  private let isScanning = Atomic(false)
  /// The scans that have ended.
  let scans = ChangeCounter()

  /// Returns the index of the library of `request`, which `open` opens if it is not the last one.
  func index(
    _ request: LibraryRequest, open: (LibraryRequest) throws(PlayerError) -> any BrowsableLibrary
  ) throws(PlayerError) -> any BrowsableLibrary {
    if let known = known(request) { return known }
    let index = try open(request)
    last.withLock { $0 = Opened(request: request, index: index) }
    return index
  }

  /// Returns the index of the library of `request` if it is the last one, or `open` returns it.
  func presentIndex(
    _ request: LibraryRequest, open: (LibraryRequest) -> (any BrowsableLibrary)?
  ) -> (any BrowsableLibrary)? {
    if let known = known(request) { return known }
    let index = open(request)
    if let index { last.withLock { $0 = Opened(request: request, index: index) } }
    return index
  }

  private func known(_ request: LibraryRequest) -> (any BrowsableLibrary)? {
    last.withLock { last in last.flatMap { $0.request == request ? $0.index : nil } }
  }

  /// Scans the library of `index` on another thread, unless a scan is running. Calls `onFailure` there with the error.
  ///
  /// - Throws: `Errno` if no thread can be created.
  func scan(_ index: any BrowsableLibrary, onFailure: @escaping @Sendable (LibraryError) -> Void) throws(Errno) {
    guard !isScanning.exchange(true, ordering: .acquiringAndReleasing) else { return }
    do throws(Errno) {
      _ = try WorkerThread(name: "segue-scan") { [self] in
        do throws(LibraryError) {
          _ = try index.scan(progress: { _ in }, isCancelled: { false })
        } catch {
          onFailure(error)
        }
        isScanning.store(false, ordering: .releasing)
        scans.note()
      }
    } catch {
      isScanning.store(false, ordering: .releasing)
      throw error
    }
  }
}
