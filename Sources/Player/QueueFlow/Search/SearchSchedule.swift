import MusicModel
import Platform

/// What is to be read for a listing, and when: of what was asked, only the newest is ever read.
struct SearchSchedule {
  /// What is read.
  enum Job: Sendable {
    /// A page of the listing.
    case page(SearchAsk)
    /// The values of a filter.
    case choices(ChoiceAsk)
  }

  /// What the thread does next.
  enum Step: Sendable {
    /// Read this.
    case read(Job)
    /// Look again then; without a moment, when there is something new.
    case wait(until: MonotonicInstant?)
  }

  private struct Entry {
    var job: Job?
    var due = MonotonicInstant(nanoseconds: 0)
    /// The number of what was taken notice of last.
    var number: UInt64?
  }

  /// How long a typed text waits for the next key.
  let typingMilliseconds: UInt64
  private var page = Entry()
  private var choices = Entry()

  init(typingMilliseconds: UInt64) { self.typingMilliseconds = typingMilliseconds }

  /// Takes notice of `state`, which is the newest; says whether there is something new to read.
  mutating func follow(_ state: SearchState, at now: MonotonicInstant) -> Bool {
    let ask = state.loading
    let choice = state.choices.flatMap { $0.isLoading ? $0.asked : nil }
    let isNew = replace(
      &page, with: ask.map { .page($0) }, number: ask?.number, isTyped: ask?.isTyped, at: now)
    let hasNewChoices = replace(
      &choices, with: choice.map { .choices($0) }, number: choice?.number, isTyped: choice?.isTyped, at: now)
    return isNew || hasNewChoices
  }

  /// What to do now; a job is given once.
  mutating func next(at now: MonotonicInstant) -> Step {
    if let job = take(&page, at: now) ?? take(&choices, at: now) { return .read(job) }
    return .wait(until: [page, choices].filter { $0.job != nil }.map(\.due).min())
  }

  private func replace(
    _ entry: inout Entry, with job: Job?, number: UInt64?, isTyped: Bool?, at now: MonotonicInstant
  ) -> Bool {
    guard entry.number != number else { return false }
    let wait = isTyped == true ? typingMilliseconds : 0
    entry = Entry(job: job, due: now.advanced(byMilliseconds: wait), number: number)
    return job != nil
  }

  private func take(_ entry: inout Entry, at now: MonotonicInstant) -> Job? {
    entry.due <= now ? entry.job.take() : nil
  }
}
