import UnicodeText

/// An edit that can be undone, or made again, listed.
struct ListedEdit: ListedEntry, Equatable {
  /// Which way it is gone through.
  enum Direction: String {
    case undo
    case redo
  }

  static var table: Table { Table(alignments: [.left, .right, .left], flexible: [2]) }
  static var headings: [String] { ["", "Steps", "Edit"] }

  let direction: Direction
  /// How many steps away it is, from 1.
  let steps: Int
  let name: String

  var cells: [String] { [direction.rawValue, "\(steps)", name] }

  var plain: PlainLine { PlainLine(name).behind("\(direction.rawValue) \(steps)") }

  var object: ListedObject {
    var object = ListedObject(.edit)
    object.name = name
    if direction == .undo { object.undo = steps } else { object.redo = steps }
    return object
  }
}
