extension Row {
    /// Calls `body` with a row of `count` empty slots, which is deallocated afterwards.
    @inlinable
    package static func temporary<Result>(_ count: Int, _ body: (Row) throws -> Result) rethrows -> Result {
        let row = Row.allocate(count)
        defer { row.deallocate() }
        return try body(row)
    }
}
