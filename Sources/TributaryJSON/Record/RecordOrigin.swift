/// Where a record was read first, if it is read again from a copy.
package struct RecordOrigin: Sendable, Codable {
    /// The position of its first byte.
    package let position: SourcePosition
    /// Its number in the source.
    package let number: Int
    /// The index of the path that matched it.
    package let route: Int
    /// The path to it.
    package let path: [PathStep]

    /// The origin of a record.
    package init(_ record: Record) {
        (position, number, route, path) = (record.position, record.number, record.route, record.path)
    }

    /// An origin that was kept.
    package init(position: SourcePosition, number: Int, route: Int, path: [PathStep]) {
        (self.position, self.number, self.route, self.path) = (position, number, route, path)
    }
}
