/// A synthetic dump in the layout of a well-known one, with the same bytes for the same kind, count and seed.
public struct Dump: Sendable {
    /// The kind of a dump.
    public enum Kind: String, CaseIterable, Sendable {
        /// Plain users in an array, as NDJSON, as an object of objects.
        case users, usersNDJSON = "users-ndjson", usersObject = "users-object"
        /// Short measurements, one a line, with the ids from 1 to the count in another order.
        case readings
        /// An array with an entity on each line, and references in both directions.
        case wikidata
        /// Entities with their credited artists, one a line.
        case musicbrainz
        /// Works, one a line, with identifiers that have been merged.
        case openalex
        /// `{"items":[…]}` on many lines, with duplicate identifiers.
        case crossref
        /// Events of many types, one a line.
        case gharchive
        /// Comments, one a line, with fields that change their type.
        case reddit
        /// A FeatureCollection with coordinates in arrays.
        case geojson
        /// `{"meta":…,"results":[…]}`
        case openfda
        /// Businesses, users and reviews that refer to them, one a line.
        case yelp
        /// An object with one large array, after a byte order mark.
        case prices
        /// Trace events of many types, without the last bracket, as that format permits.
        case trace
        /// Rows with documents in them, some of them deleted.
        case couchdb
        /// An object of objects for each of several collections.
        case firebase
        /// A bundle of resources.
        case fhirBundle = "fhir-bundle"
        /// Resources, one a line, with blank lines.
        case fhirBulk = "fhir-bulk"
        /// One object with several arrays of records.
        case trello
        /// An array of messages.
        case slack
        /// Extended JSON, one a line.
        case mongoexport
        /// A log whose last line is still being written.
        case llm
    }

    /// The kind.
    public let kind: Kind
    /// The number of records.
    public let count: Int
    /// The seed of the random contents.
    public let seed: UInt64
    let ids: [UInt32]?
    /// How far the id of a reading is from that of the one before, without a common divisor with the count.
    let step: Int

    /// Describes a dump, which is generated on demand.
    ///
    /// `ids` are the ids of the users; nil for 1, 2, 3, ….
    public init(_ kind: Kind, count: Int, seed: UInt64 = 1, ids: [UInt32]? = nil) {
        self.kind = kind
        self.count = count
        self.seed = seed
        self.ids = ids
        func divisor(_ one: Int, _ other: Int) -> Int { other == 0 ? one : divisor(other, one % other) }
        step = ((count * 5 / 8)...).first { divisor($0, count) == 1 } ?? 1
    }

    /// The text around the records.
    struct Layout {
        var header = ""
        var separator = "\n"
        var footer = "\n"
    }

    /// Generates the dump piece by piece.
    public func write(_ consume: (String) throws -> Void) rethrows {
        var random = SeededGenerator(seed: seed)
        let layout = layout
        var text = layout.header
        text.reserveCapacity(1 << 17)
        for index in 0..<count {
            if index > 0 { text += separator(before: index, layout) }
            record(index, &random, into: &text)
            if text.utf8.count > 1 << 16 {
                try consume(text)
                text.removeAll(keepingCapacity: true)
            }
        }
        try consume(text + layout.footer)
    }

    /// The whole dump.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write { bytes += Array($0.utf8) }
        return bytes
    }

    /// The path of the records that a reader infers, or nil if the path must be given.
    public var path: String? {
        switch kind {
        case .users, .wikidata, .slack, .trace: kind == .trace ? ".traceEvents[]" : "[]"
        case .usersObject: "{}"
        case .crossref: ".items[]"
        case .geojson: ".features[]"
        case .openfda: ".results[]"
        case .prices: ".standard_charge_information[]"
        case .couchdb: ".rows[]"
        case .fhirBundle: ".entry[]"
        case .firebase, .trello: nil
        default: "."
        }
    }
}
