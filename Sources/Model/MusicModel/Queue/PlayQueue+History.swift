// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  /// The maximum number of edits that can be undone.
  public static let historyCapacity = 200

  /// Performs an edit. Adds it to the history under this name if it changes the queue, or if `always` is `true`.
  mutating func edit(_ name: String, always: Bool = false, _ change: (inout PlayQueue) -> Void) {
    let before = contents
    change(&self)
    guard always || contents.differs(from: before) else { return }
    undoSteps.append(QueueStep(name: name, contents: before, number: nextStep()))
    lastEdit = stepCount
    if undoSteps.count > Self.historyCapacity { undoSteps.removeFirst() }
    redoSteps = []
    restoreState.isOver = true
    removeUnusedPages()
  }

  mutating func undo(_ steps: Int) {
    for _ in 0..<max(0, min(steps, undoSteps.count)) {
      guard let step = undoSteps.popLast() else { return }
      redoSteps.append(QueueStep(name: step.name, contents: contents, number: nextStep()))
      restore(step.contents)
    }
  }

  mutating func redo(_ steps: Int) {
    for _ in 0..<max(0, min(steps, redoSteps.count)) {
      guard let step = redoSteps.popLast() else { return }
      undoSteps.append(QueueStep(name: step.name, contents: contents, number: nextStep()))
      restore(step.contents)
    }
  }

  private mutating func nextStep() -> UInt64 {
    stepCount += 1
    return stepCount
  }

  /// Replaces the contents. The current item stays current if it is among the restored items.
  mutating func restore(_ restored: QueueContents) {
    let (current, elapsed) = (contents.current, contents.elapsed)
    contents = restored
    if let current, contents.items.index(of: current) != nil {
      contents.current = current
      contents.elapsed = elapsed
    }
    restoreState.isOver = true
    guard (contents.order?.random ?? .off) != modes.random else { return }
    makeOrder()
  }

  /// Returns the name of an edit, such as "clear (214 items)".
  static func name(_ action: String, _ title: String = "", _ count: Int) -> String {
    "\(action)\(title.isEmpty ? "" : " ")\(title) (\(count) \(count == 1 ? "item" : "items"))"
  }

  /// Removes pages of tracks that nothing refers to. It does so only if the table has more than twice as many pages as
  /// after the last removal, plus 256.
  private mutating func removeUnusedPages() {
    guard table.count > 2 * collectedCount + 256 else { return }
    var used: Set<UInt32> = []
    var seen: Set<ObjectIdentifier> = []
    for contents in [contents] + (undoSteps + redoSteps).map(\.contents) {
      for page in contents.items.pages where seen.insert(ObjectIdentifier(page)).inserted {
        var last: UInt32?
        for entry in page.entries where entry.page != last {
          used.insert(entry.page)
          last = entry.page
        }
      }
    }
    table = TrackTable(table.pages.filter { used.contains($0.key) })
    collectedCount = table.count
  }
}

/// The part of a queue that edits change and undo restores. Copies share their pages.
struct QueueContents: Sendable {
  struct Order: Sendable, Equatable {
    /// The IDs of all items in playing order.
    var ids: PageList<UInt64>
    /// The unit that is shuffled: tracks or albums.
    let random: QueueModes.Random
  }

  /// The title of the collection that was loaded last.
  var title = ""
  /// The items, in the order of their positions.
  var items = PageList<QueueEntry>()
  /// The shuffled playing order; `nil` if items are played in the order of their positions.
  var order: Order?
  /// The ID of the current item; `nil` if there is none.
  var current: UInt64?
  var elapsed = Duration.zero

  /// Whether the title, the items or the playing order differ from those of `other`. An edit is recorded only if
  /// one of them differs.
  func differs(from other: QueueContents) -> Bool {
    title != other.title || items != other.items || order != other.order
  }
}

/// An edit in the history: its name, and the contents to restore when it is undone or redone.
struct QueueStep: Sendable {
  var name: String
  var contents: QueueContents
  /// The value of ``PlayQueue/stepCount`` after the edit was made, undone or redone; 0 if that was before the start.
  var number: UInt64 = 0
}
