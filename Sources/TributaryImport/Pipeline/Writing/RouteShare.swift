/// A part of a chunk, with its primary keys.
struct RouteShare {
    /// The index of its chunk in the group.
    let chunk: Int
    let part: PreparedChunk.Part
    /// The primary key of the record of ordinal 0.
    let first: Int64
    /// Reserves the primary keys of records one by one; nil if they follow `first`.
    var next: (() throws -> Int64)?

    /// The primary keys of its records, for a setter.
    var numbers: RowNumbers { next.map { .next($0) } ?? .reserved(part.ordinals.map { first + Int64($0) }) }
}
