import ArgumentParser
import MusicLibrary
import MusicModel
import QueueFlow
import SystemPackage

/// A search as one types: from the list to what is done with what was chosen.
struct SearchRun {
  private let session: Session
  private let request: LibraryRequest

  /// A search in the library that `request` names.
  init(_ session: Session, _ request: LibraryRequest) {
    self.session = session
    self.request = request
  }

  /// Shows the list until it is left, and gives what there is to say then, safe for a terminal.
  ///
  /// - Throws: `CommandError`; `Errno` where the system has no descriptors left.
  func run() throws -> [String] {
    let flow = try session.readFlow(request)
    let model = SearchViewModel(.hits, store: flow.search, actions: flow.searchActions)
    let filters = RequestTitle.text(flow.search.state.wanted.filters)
    let view = try SearchView(model, filters: filters, in: session) { hit in
      do {
        return try act(on: hit, adding: true).joined(separator: "; ")
      } catch {
        return (error as? CommandError)?.message ?? "\(error)"
      }
    }
    guard let hit = view.run() else { return [] }
    return try act(on: hit, adding: false)
  }

  /// Plays `hit`, or adds it to the queue.
  private func act(on hit: SearchHit, adding: Bool) throws -> [String] {
    var found = try session.finder(request).found(hit)
    if case .attached = session.face { return try forward(hit, item: found.item, adding: adding) }
    if adding, case .track = hit { found = found.track }
    let chosen = PlayChosenCommand.Chosen(found.collection, item: found.item, adds: adding)
    return [try chosen.act(in: session)]
  }

  private func forward(_ hit: SearchHit, item: Int, adding: Bool) throws -> [String] {
    let words = PlayChosenCommand.words(hit, item: item, request, adds: adding)
    let texts = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let command = try PlayChosenCommand.parse(texts)
    let lines = KeptLines()
    let kept = session.keeping(lines)
    guard try Forwarding(command, words, in: kept).obey() != nil else { throw CommandError.noPlayer }
    session.hasSaidTrack = session.hasSaidTrack || kept.hasSaidTrack
    return lines.output + lines.errors
  }
}

extension CollectionFinder.Found {
  /// The track that was found, alone.
  var track: Self {
    let track = collection.tracks[item]
    return Self(
      collection: TrackCollection(title: track.title, tracks: [track]), item: 0, problems: problems)
  }
}
