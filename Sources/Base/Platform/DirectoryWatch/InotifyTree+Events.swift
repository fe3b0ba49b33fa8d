// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage

  extension InotifyTree {
    /// Applies an event; returns whether it is relevant for reports. Events must be applied in the order in which they
    /// were read.
    mutating func apply(_ event: InotifyEvent, round: Int) -> Bool {
      if event.mask.contains(.overflowed) {
        hasOverflowed = true
        return true
      }
      if outerWatches.contains(event.watch) { applyOuter(event) }
      let directory = event.watch
      guard !hasOverflowed, !isRootMissing, directories.contains(directory) else { return hasOverflowed }
      if event.name.isEmpty { return applyOwn(event, directory) }
      if isIgnored(event.name) { return false }
      mark(directory)
      if event.mask.contains(.isDirectory) {
        applyDirectory(event, in: directory, round)
      } else {
        applyFile(event, in: directory, round)
      }
      return true
    }

    private mutating func applyOuter(_ event: InotifyEvent) {
      if event.mask.contains(.watchRemoved) { outerWatches.remove(event.watch) }
      rootNeedsCheck = true
    }

    /// Applies an event about a watched directory itself; returns whether it is relevant for reports.
    private mutating func applyOwn(_ event: InotifyEvent, _ directory: ID) -> Bool {
      let isRoot = directory == directories.root
      if isRoot, !event.mask.isDisjoint(with: [.selfDeleted, .unmounted, .watchRemoved]) {
        isRootMissing = true
      } else if isRoot, event.mask.contains(.selfMoved) {
        rootNeedsCheck = true
      } else if event.mask.contains(.attributes) {
        mark(directory)
      } else if event.mask.contains(.watchRemoved)
        || directories.isLinked(directory) && !event.mask.isDisjoint(with: [.selfMoved, .selfDeleted])
      {
        if let parent = directories.parent(of: directory) { mark(parent) }
        remove(directory)
      } else {
        return false
      }
      return true
    }

    private mutating func applyDirectory(_ event: InotifyEvent, in parent: ID, _ round: Int) {
      let name = event.name
      let known = directories.child(of: parent, named: name)
      if event.mask.contains(.created) {
        watchNew(name, in: parent, isLinked: false)
      } else if event.mask.contains(.deleted) {
        if let known { remove(known) }
      } else if event.mask.contains(.movedFrom) {
        depart(event, from: parent, known, round)
      } else if event.mask.contains(.movedTo) {
        guard let departure = departures.removeValue(forKey: event.cookie) else {
          return watchNew(name, in: parent, isLinked: false)
        }
        if let known, known != departure.directory { remove(known) }
        let moved = departure.directory.flatMap { directories.contains($0) ? $0 : nil }
        arrive(departure, name, in: parent, isDirectory: true)
        if let moved, !move(moved, to: parent, name) { return }
        // A newer directory may have been found under its earlier name.
        watchNew(name, in: parent, isLinked: false)
      } else if event.mask.contains(.attributes), known == nil {
        // It may have become readable.
        watchNew(name, in: parent, isLinked: false)
      }
    }

    private mutating func applyFile(_ event: InotifyEvent, in parent: ID, _ round: Int) {
      let name = event.name
      if event.mask.contains(.movedFrom) {
        depart(event, from: parent, nil, round)
      } else if event.mask.contains(.movedTo),
        let departure = departures.removeValue(forKey: event.cookie)
      {
        arrive(departure, name, in: parent, isDirectory: false)
      }
      // A link to a directory causes the same events as a file.
      if !event.mask.isDisjoint(with: [.deleted, .movedFrom, .movedTo]),
        let linked = directories.child(of: parent, named: name)
      {
        remove(linked)
      }
      if !event.mask.isDisjoint(with: [.created, .movedTo]) { watchNew(name, in: parent, isLinked: true) }
    }

    private mutating func depart(_ event: InotifyEvent, from parent: ID, _ directory: ID?, _ round: Int) {
      let path = FilePath(systemBytes: directories.pathBytes(of: parent, appending: event.name))
      departures[event.cookie] = Departure(path: path, directory: directory, round: round)
    }

    private mutating func arrive(_ departure: Departure, _ name: Name, in parent: ID, isDirectory: Bool) {
      let path = FilePath(systemBytes: directories.pathBytes(of: parent, appending: name))
      moves.append(.init(from: departure.path, to: path, isDirectory: isDirectory))
    }

    private mutating func watchNew(_ name: Name, in parent: ID, isLinked: Bool) {
      guard let id = add(name, to: parent, isLinked: isLinked) else { return }
      mark(id)
      walk([id], marking: true)
    }
  }
#endif
