import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Screens
import Synchronization
import SystemPackage
import Tagging

extension Session {
  /// The flow of the library that `request` names; in a session, it is opened once.
  ///
  /// `index` is its index, where that is open already.
  func flow(_ request: LibraryRequest, index: (any BrowsableLibrary)? = nil) throws(CommandError) -> LibraryFlow {
    if let open = openFlow, open.request == request { return open.flow }
    tellPlace(of: request)
    let index = if let index { index } else { try services.library.open(request) }
    if let warning = index.warning { complain("segue: \(warning)") }
    let flow: LibraryFlow
    do { flow = try services.library.makeFlow(index) } catch {
      throw CommandError(.failure, "the system refuses to go on: \(error); end other programs and try again")
    }
    openFlow = (request, index, flow)
    return flow
  }

  /// The flow of a library that is as the disk is, as far as that takes no time: one that was never read is read now,
  /// and of one that is not large the directories that changed. Where what changed cannot be kept, a warning says so,
  /// and what is known answers.
  func readFlow(_ request: LibraryRequest) throws(CommandError) -> LibraryFlow {
    let flow = try flow(request)
    let isScanned: Bool
    do throws(LibraryError) {
      isScanned = try flow.index.isScanned
    } catch {
      throw CommandError(error)
    }
    if isScanned { freshen(flow.index, in: request.roots) } else { _ = try scan(flow) }
    return flow
  }

  /// How long a disk may take for a step, in milliseconds, when it is looked at beside what is asked.
  private static var diskPatience: UInt64 { 5_000 }

  private func freshen(_ index: any MusicLibrary, in roots: LibraryRoots) {
    let fault = LeavableWork.value(patience: Self.diskPatience) { pulse -> String? in
      do throws(LibraryError) {
        _ = try index.freshen {
          pulse.beat()
          return pulse.isLeft
        }
        return nil
      } catch {
        return error.description
      }
    }
    if let reason = fault ?? "the disk does not answer" {
      complain("segue: what changed in \(roots) is not seen: \(reason)")
    }
  }

  /// Finds what to play in the library that `request` names.
  func finder(_ request: LibraryRequest) -> CollectionFinder {
    tellPlace(of: request)
    return silentFinder(request)
  }

  /// The same, before it is certain that this process looks for it.
  func silentFinder(_ request: LibraryRequest) -> CollectionFinder {
    let source: IndexSource
    if let open = openFlow, open.request == request {
      source = IndexSource(request, language: services.library.language) { [index = open.index] _ in index }
    } else {
      source = IndexSource(
        request, language: services.library.language, openPresent: services.library.openPresent,
        open: services.library.open
      )
    }
    return CollectionFinder(
      library: source, scanner: services.library.scanner, listing: LastListing(in: stateDirectory))
  }

  /// Keeps the library that `request` names in step with the disk until ``closeLibrary()``.
  ///
  /// Where the system does not allow that, or there is no library, nothing happens: commands say what is wrong with it.
  func follow(_ request: LibraryRequest, index: (any BrowsableLibrary)? = nil) {
    guard followed == nil, let flow = try? flow(request, index: index) else { return }
    followed = try? FollowedLibrary(flow, in: request.roots)
  }

  /// Ends following and reading the library. What was read is kept.
  func closeLibrary() {
    followed = nil
    openFlow?.flow.shutDown(within: 200)
  }

  /// Has the library read, shows how that goes, unless it `isSilent`, and gives how it stands then.
  func scan(
    _ flow: LibraryFlow, _ scope: ScanScope = .everything, isSilent: Bool = false
  ) throws(CommandError) -> LibraryState {
    let outcome: ScanView.Outcome
    do throws(Errno) {
      outcome = try ScanView(flow, scope, self, isSilent: isSilent).run()
    } catch {
      throw CommandError(.failure, "the system refuses to go on: \(error); end other programs and try again")
    }
    switch outcome {
    case .ended(let state):
      if case .failed(let fault) = state.phase { throw CommandError(fault) }
      return state
    case .cancelled(let status, _):
      throw CommandError(status, "the library was read in part; `segue scan` goes on from there")
    }
  }
}

/// Has a library read wherever it changes on the disk, as long as this lives.
final class FollowedLibrary {
  private let followers: [LibraryFollower]

  /// Follows the library of `flow` in `roots`, each directory by itself, beginning with all of it.
  ///
  /// - Throws: `Errno` where the system grants no thread, descriptor, or instance of inotify.
  init(_ flow: LibraryFlow, in roots: LibraryRoots) throws(Errno) {
    let actions = flow.libraryActions
    let unwatched = UnwatchedDirectories { actions.reportUnwatched($0) }
    followers = try roots.paths.map { root throws(Errno) in
      let whole = roots.isSingle ? ScanScope.everything : .directories([root])
      return try LibraryFollower(
        root,
        updates: LibraryUpdates(
          // Both ends of a move are among the directories, and what was moved is known again by its inode.
          update: { changes, _ in actions.scan(.directories(changes.directories)) },
          rescan: { tree, _ in actions.scan(tree == root ? whole : .directories([tree])) },
          // Finds that it is absent.
          markAbsent: { actions.scan(whole) },
          reportUnwatched: { unwatched.set($0, in: root) }))
    }
  }
}

/// What is not seen of several directories, told as one list. From any thread.
private final class UnwatchedDirectories: Sendable {
  private let known = Mutex<[FilePath: [FilePath]]>([:])
  private let report: @Sendable ([FilePath]) -> Void

  init(_ report: @escaping @Sendable ([FilePath]) -> Void) { self.report = report }

  func set(_ directories: [FilePath], in root: FilePath) {
    known.withLock { known in
      known[root] = directories
      report(
        known.sorted { $0.key.systemBytes.lexicographicallyPrecedes($1.key.systemBytes) }.flatMap(\.value))
    }
  }
}
