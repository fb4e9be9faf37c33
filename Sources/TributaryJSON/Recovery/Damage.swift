/// A damaged part of the source, which is being rejected.
struct Damage {
    /// The kind of unit that is damaged, which determines where it can end.
    enum Unit: Equatable {
        /// An element or member of the container that is open at this depth, from 1.
        case item(depth: Int)
        /// A top-level value, which others may follow.
        case value
        /// A line.
        case line
        /// The rest of the source.
        case rest
    }

    let error: JSONError
    let unit: Unit
    /// Whether the damaged part is a record, which takes a number.
    let isRecord: Bool
    /// The offset of its first byte, relative to the arena even after that byte has been dropped.
    var start: Int
    /// The offset of the invalid byte.
    var offset: Int
    /// Its first bytes, if they do not stay in the arena.
    var head: [UInt8] = []
    /// The containers inside the one of the part that are open at its start: for each whether it is an object.
    var inner: [Bool] = []
    /// A border to try first, because possibly no record is damaged there.
    var firstTry: BorderSearch.Border?
    /// The size of the arena at which the search is repeated.
    var retryAt = 0

    /// Corrects all offsets after the arena's bytes have moved.
    mutating func moveDown(by distance: Int) {
        start -= distance
        offset -= distance
        retryAt -= distance
        firstTry?.offset -= distance
    }

    var isValue: Bool { unit == .value }

    var isItem: Bool {
        if case .item = unit { true } else { false }
    }
}
