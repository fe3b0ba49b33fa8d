/// Which of the albums that there were each new album is: the one that most of its tracks were in.
struct AlbumIdentities {
  /// For each new album the former one; `nil` for an album that is none of them.
  let ids: [Int64?]

  /// Of each new album, which former albums its tracks were in.
  ///
  /// Of the albums that lay claim to a former one, the one with the most tracks of it gets it; else the first. Of
  /// former albums that gave as many tracks, the smaller number stays.
  init(_ former: [[Int64?]]) {
    var claims: [(album: Int, id: Int64, count: Int)] = []
    for (album, ids) in former.enumerated() {
      var counts: [Int64: Int] = [:]
      for case let id? in ids { counts[id, default: 0] += 1 }
      for (id, count) in counts { claims.append((album, id, count)) }
    }
    claims.sort { ($1.count, $0.id, $0.album) < ($0.count, $1.id, $1.album) }
    var ids = [Int64?](repeating: nil, count: former.count)
    var taken: Set<Int64> = []
    for claim in claims where ids[claim.album] == nil && !taken.contains(claim.id) {
      ids[claim.album] = claim.id
      taken.insert(claim.id)
    }
    self.ids = ids
  }
}
