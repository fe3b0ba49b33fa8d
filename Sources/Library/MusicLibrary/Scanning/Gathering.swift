/// Which of many things are under each text; those of one text mostly follow one another.
struct Gathering {
  private var places: [ByteText: Int] = [:]
  private var lists: [[Int]] = []
  private var last: (text: ByteText, place: Int)?
  /// The texts in the order in which they came.
  private(set) var texts: [String] = []

  /// Puts the thing of this number under a text.
  mutating func add(_ number: Int, under text: String) {
    let text = ByteText(text)
    if let last, last.text == text { return lists[last.place].append(number) }
    let place = places[text] ?? lists.count
    if place == lists.count {
      places[text] = place
      lists.append([])
      texts.append(text.text)
    }
    last = (text, place)
    lists[place].append(number)
  }

  /// The things under a text.
  subscript(_ text: String) -> [Int] { places[ByteText(text)].map { lists[$0] } ?? [] }
}
