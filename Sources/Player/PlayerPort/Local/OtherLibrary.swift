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
  /// The library that is being scanned; `nil` if none is.
  private let scanning = Mutex<LibraryRequest?>(nil)
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

  /// Scans the library of `request`, whose index is `index`, on another thread, unless it is being scanned. Calls
  /// `onFailure` there with the error.
  ///
  /// - Throws: `PlayerError` if another library is being scanned, or if no thread can be created.
  func scan(
    _ request: LibraryRequest, _ index: any BrowsableLibrary, onFailure: @escaping @Sendable (LibraryError) -> Void
  ) throws(PlayerError) {
    let running = scanning.withLock { running in
      defer { running = running ?? request }
      return running
    }
    if running == request { return }
    if running != nil { throw PlayerError(.failure, "another library is being scanned: try again when that has ended") }
    do throws(Errno) {
      _ = try WorkerThread(name: "segue-scan") { [self] in
        do throws(LibraryError) {
          _ = try index.scan(progress: { _ in }, isCancelled: { false })
        } catch {
          onFailure(error)
        }
        scanning.withLock { $0 = nil }
        scans.note()
      }
    } catch {
      scanning.withLock { $0 = nil }
      throw PlayerError(.failure, "not enough system resources (\(error)); close other programs and try again")
    }
  }
}
