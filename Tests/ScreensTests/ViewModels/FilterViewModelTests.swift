import Flux
import MusicModel
import PlayerFlow
import Testing

@testable import Screens

@Suite struct FilterViewModelTests {
  private let dispatcher = SearchDispatcher()
  private let store: SearchStore
  private let filters: FilterViewModel

  init() {
    store = SearchStore(dispatcher: dispatcher)
    filters = FilterViewModel(store: store, actions: SearchActionCreator(dispatcher: dispatcher))
  }

  private var shown: FilterViewModel.Output { FilterViewModel.output(store.state) }

  private func offer(_ names: String...) {
    guard let ask = store.state.choices?.asked else { return }
    let entries = names.map { NameEntry(name: $0, albumCount: 2, trackCount: 20) }
    dispatcher.dispatch(.report(.offered(ask.number, LibraryPage(entries))))
  }

  @Test func `at first nothing is offered and nothing chosen`() {
    #expect(shown == FilterViewModel.Output())
  }

  @Test func `the values of a kind are offered with their counts, and those chosen are marked`() {
    filters.accept(.open(.genre))
    #expect(shown.isLoading && shown.choices.isEmpty && shown.kind == .genre)
    offer("Bebop", "Jazz")
    filters.accept(.toggle("Jazz", of: .genre))
    #expect(
      shown.choices == [
        FilterChoice(name: "Bebop", albumCount: 2, trackCount: 20, isChosen: false),
        FilterChoice(name: "Jazz", albumCount: 2, trackCount: 20, isChosen: true),
      ])
    #expect(shown.chosen == "genre Jazz" && !shown.isLoading)
    filters.accept(.toggle("Jazz", of: .genre))
    #expect(shown.chosen == nil && shown.choices.allSatisfy { !$0.isChosen })
  }

  @Test func `a value chosen in another spelling is the same one`() {
    dispatcher.dispatch(.filter(.insert("bossa nóva", of: .genre)))
    filters.accept(.open(.genre))
    offer("Bossa Nova")
    #expect(shown.choices.map(\.isChosen) == [true])
    filters.accept(.toggle("Bossa Nova", of: .genre))
    #expect(store.state.wanted.filters.isEmpty)
  }

  @Test func `what is chosen can be taken back though it is not offered`() {
    dispatcher.dispatch(.filter(.insert("Polka", of: .genre)))
    filters.accept(.open(.genre))
    offer("Jazz")
    #expect(shown.choices.last == FilterChoice(name: "Polka", isChosen: true))
    filters.accept(.clear(.genre))
    #expect(shown.choices.map(\.name) == ["Jazz"] && shown.chosen == nil)
  }

  @Test func `a fault is shown, and can be tried again`() throws {
    filters.accept(.open(.artist))
    let number = try #require(store.state.choices?.asked.number)
    let fault = SearchFault.library(LibraryFault(.index, "the index is locked"))
    dispatcher.dispatch(.report(.offeringFailed(number, fault)))
    #expect(shown.problem?.message == "the index is locked" && !shown.isLoading)
    filters.accept(.retry)
    #expect(shown.problem == nil && shown.isLoading)
    filters.accept(.close)
    #expect(shown.kind == nil)
  }
}
