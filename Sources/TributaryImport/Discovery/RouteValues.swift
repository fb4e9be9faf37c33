package import TributaryJSON

/// The values of a member of records, each of which gets a route of its own.
package struct RouteValues {
    /// The most values; each is a table.
    package static let most = 500
    /// The most bytes of a value that names a table.
    private static let longest = 200

    /// The texts, numbers and truth values, as `ImportRoute.when(_:is:)` compares them, in the order of their bytes.
    package let values: [String]
    /// Whether records have no such value, or a long one.
    package let hasOthers: Bool
    /// The names of the members of the first record.
    package let memberNames: [String]

    /// Reads the sources, or their first records up to `limit`; only records that meet the filter count.
    ///
    /// - Throws: `JSONError` if a source cannot be read, `ImportError` if there are more than ``most`` values.
    package init(
        of member: RemoteKey, in sources: [any ByteSource], filter: RecordFilter?, limit: Int?, _ reading: ReadOptions,
        onReader: (RecordReader) -> Void
    ) throws {
        var reading = reading
        if reading.onError == .quarantine { reading.onError = .skip }
        reading.digests = false
        let reader = RecordReader(from: sources, options: reading)
        onReader(reader)
        var rest = limit ?? .max
        var (found, hasOthers): (Set<String>, Bool) = ([], false)
        var names: [String]?
        while rest > 0, let chunk = try reader.next() {
            for record in chunk.prefix(rest) where filter?.isMet(by: record) ?? true {
                if names == nil { names = record.value.kind == .object ? record.value.members.map(\.key) : [] }
                guard let value = member.plainText(in: record), value.utf8.count <= RouteValues.longest else {
                    hasOthers = true
                    continue
                }
                if found.insert(value).inserted, found.count > RouteValues.most {
                    throw ImportError(
                        .route,
                        "the member \(Excerpt.escape(member.text)) has more than \(RouteValues.most) values, too many for a table each",
                        remedy: .filterValues)
                }
            }
            rest -= min(rest, chunk.count)
        }
        reader.cancel()
        self.hasOthers = hasOthers
        memberNames = names ?? []
        values = found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
