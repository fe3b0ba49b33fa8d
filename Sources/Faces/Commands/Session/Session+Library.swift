// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Synchronization
import SystemPackage
import Tagging
import UserSettings

extension Session {
  /// Returns the request for the library that the user has typed at the prompt, or else that options name, or else that
  /// of the session, with the ignored patterns and the directory of playlists in the settings.
  func libraryRequest(_ library: [String] = [], dataDir: String? = nil) -> LibraryRequest {
    LibraryRequest(
      roots: typedLibrary ?? LibraryRoots(library.map { FilePath(typed: $0) }) ?? self.library,
      dataDirectory: dataDir.map { FilePath(typed: $0) } ?? dataDirectory, ignoredPatterns: settings.ignoredPatterns,
      playlists: settings.playlists)
  }

  /// Returns the flow of the library of `request`. A session opens the same library only once.
  ///
  /// - Parameter index: The index of the library, if it is already open.
  func flow(_ request: LibraryRequest, index: (any BrowsableLibrary)? = nil) throws(PlayerError) -> LibraryFlow {
    if let open = openFlow, open.request == request {
      showLibraryToPlayer()
      return open.flow
    }
    printLocation(of: request)
    let index = if let index { index } else { try services.library.access.open(request) }
    if let warning = index.warning { printError("segue: \(warning)", level: .warning) }
    let flow: LibraryFlow
    do { flow = try services.library.makeFlow(index) } catch {
      throw PlayerError(.failure, "not enough system resources (\(error)); close other programs and try again")
    }
    openFlow = (request, index, flow)
    showLibraryToPlayer()
    return flow
  }

  /// Lets the player of this process use the open library, if it is the player's.
  private func showLibraryToPlayer() {
    guard let player = player as? LocalPlayer, let open = openFlow else { return }
    player.use(.init(open.index, open.flow.library, open.flow.libraryActions), of: open.request)
  }

  /// Returns the flow of a library, after updating its index. A library that has never been scanned is scanned
  /// completely. Otherwise, changed directories are scanned, unless the library is large. If the changes cannot be read
  /// or stored, prints a warning and uses the index as it is.
  func readFlow(_ request: LibraryRequest) throws -> LibraryFlow {
    let flow = try flow(request)
    if try flow.index.isScanned {
      updateChanged(request.roots) { [index = flow.index] isCancelled throws(LibraryError) in
        _ = try index.refresh(isCancelled: isCancelled)
      }
    } else {
      _ = try scan(flow)
    }
    return flow
  }

  /// Updates the index with `refresh`. Prints a warning if that fails, or if the disk does not respond for `timeout`
  /// milliseconds.
  ///
  /// - Parameter refresh: Often calls its argument, which returns whether to end early. May block.
  func updateChanged(
    _ roots: LibraryRoots, timeout: UInt64 = 5_000,
    _ refresh: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(LibraryError) -> Void
  ) {
    let problem = AbandonableWork.value(timeout: timeout) { progress -> String? in
      do throws(LibraryError) {
        try refresh {
          progress.report()
          return progress.isAbandoned
        }
        return nil
      } catch {
        return error.description
      }
    }
    if let reason = problem ?? "the disk is not responding" {
      printError("segue: cannot check \(roots) for changes: \(reason)", level: .warning)
    }
  }

  /// Returns a finder for the library of `request`, and prints the path of the library as a detail.
  func finder(_ request: LibraryRequest) -> CollectionFinder {
    printLocation(of: request)
    return silentFinder(request)
  }

  /// Returns a finder for the library of `request`. Prints no details, since this process may not need the finder.
  func silentFinder(_ request: LibraryRequest) -> CollectionFinder {
    let source: IndexSource
    if let open = openFlow, open.request == request {
      source = IndexSource(request, language: services.library.access.language) { [index = open.index] _ in index }
    } else {
      source = IndexSource(
        request, language: services.library.access.language, openPresent: services.library.access.openPresent,
        open: services.library.access.open)
    }
    return CollectionFinder(
      library: source, scanner: services.library.access.scanner.ignoring(request.ignoredPatterns),
      listing: LastListing(in: stateDirectory), playlists: request.playlists)
  }

  /// Keeps the library of `request` up to date with the disk until ``closeLibrary(within:)`` is called.
  ///
  /// Has no effect if the directories cannot be watched, or if the library cannot be opened; commands that use the
  /// library will report the error.
  func follow(_ request: LibraryRequest, index: (any BrowsableLibrary)? = nil) {
    guard followedLibrary == nil, let flow = try? flow(request, index: index) else { return }
    followedLibrary = try? FollowedLibrary(flow, in: request.roots)
  }

  /// Stops following and scanning the library. Tracks that have been scanned stay in the index. Waits at most
  /// `milliseconds` each for a scan and a search.
  func closeLibrary(within milliseconds: UInt64 = 200) {
    followedLibrary = nil
    openFlow?.flow.shutDown(within: milliseconds)
  }

  /// Scans the library, and returns the final state. Shows the progress unless `isSilent`.
  func scan(
    _ flow: LibraryFlow, _ scope: ScanScope = .everything, isSilent: Bool = false
  ) throws(PlayerError) -> LibraryState {
    let outcome: ScanView.Outcome
    do throws(Errno) {
      outcome = try ScanView(flow, scope, self, isSilent: isSilent).run()
    } catch {
      throw PlayerError(.failure, "not enough system resources (\(error)); close other programs and try again")
    }
    switch outcome {
    case .ended(let state):
      if case .failed(let error) = state.phase { throw PlayerError(error) }
      return state
    case .cancelled(let status, _):
      throw PlayerError(status, "the scan was interrupted; `segue scan` continues it")
    }
  }
}

/// Watches the directories of a library, and scans changes, while this object exists.
final class FollowedLibrary {
  private let watchers: [LibraryWatcher]

  /// Starts watching the directories `roots` of the library of `flow`, beginning with a full scan.
  ///
  /// - Throws: `Errno` if no thread, descriptor or inotify instance is available.
  init(_ flow: LibraryFlow, in roots: LibraryRoots) throws(Errno) {
    let actions = flow.libraryActions
    let unwatched = UnwatchedDirectories { actions.reportUnwatched($0) }
    watchers = try roots.paths.map { root throws(Errno) in
      let wholeScope = roots.isSingle ? ScanScope.everything : .directories([root])
      return try LibraryWatcher(root) { step in
        switch step {
        // Both directories of a move are among these, and a moved file is recognised by its inode.
        case .update(let directories): actions.scan(.directories(directories))
        case .rescan(let tree): actions.scan(tree == root ? wholeScope : .directories([tree]))
        // The scan will find that the directory is absent.
        case .markAbsent: actions.scan(wholeScope)
        case .reportUnwatched(let directories): unwatched.set(directories, in: root)
        }
      }
    }
  }
}

/// The directories of several roots that cannot be watched, reported as one list. Safe to use from any thread.
private final class UnwatchedDirectories: Sendable {
  private let directoriesByRoot = Mutex<[FilePath: [FilePath]]>([:])
  private let report: @Sendable ([FilePath]) -> Void

  init(_ report: @escaping @Sendable ([FilePath]) -> Void) { self.report = report }

  func set(_ directories: [FilePath], in root: FilePath) {
    directoriesByRoot.withLock { byRoot in
      byRoot[root] = directories
      report(
        byRoot.sorted { $0.key.systemBytes.lexicographicallyPrecedes($1.key.systemBytes) }.flatMap(\.value))
    }
  }
}
