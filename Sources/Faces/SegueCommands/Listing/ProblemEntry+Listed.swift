import MusicModel
import Platform
import SystemPackage
import UnicodeText

extension ProblemEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left], flexible: [0, 1]) }
  static var headings: [String] { ["File", "Problem"] }

  var cells: [String] { [path.shown, reason] }

  var plain: PlainLine { PlainLine(path.string).adding(reason, as: "reason") }

  var object: ListedObject {
    var object = ListedObject(.problem)
    object.setPath(path)
    object.reason = reason
    return object
  }
}
