/// A part of the source that is being cut out.
struct Damage {
    /// What the damaged part stands in, and so where it can end.
    enum Unit {
        /// An element or member of the container that is open at this depth, from 1.
        case item(depth: Int)
        /// A value at the top, with others behind it.
        case value
        /// A line.
        case line
        /// Whatever follows up to the end of the source.
        case rest
    }

    let error: JSONError
    let unit: Unit
    /// Whether a record stood here, which takes a number.
    let isRecord: Bool
    /// Its first byte in the arena; while the bytes are being dropped it lies before the arena.
    var start: Int
    /// The byte at which it was found to be wrong.
    var offset: Int
    /// Its first bytes, when they do not stay in the arena.
    var head: [UInt8] = []
    /// Places that are tried first, because nothing at all may be damaged there.
    var firstTries: [BorderSearch.Border] = []
    /// The search is repeated when the arena has grown to this size.
    var retryAt = 0

    /// Corrects all offsets after the arena's bytes have moved.
    mutating func moveDown(by distance: Int) {
        start -= distance
        offset -= distance
        retryAt -= distance
        firstTries = firstTries.map { BorderSearch.Border(offset: $0.offset - distance, expectation: $0.expectation) }
    }
}
