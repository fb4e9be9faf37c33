public import TributaryJSON

/// What is in a dump: every path of its records, with the values at it.
///
///     let profile = try DumpProfile(of: [.file("users.json.gz")])
///     for path in profile.records.children { print(path.step, path.count) }
///
/// A profile is made in one pass and in a bounded memory, by as many threads as there are parsers, and does not depend on
/// their number. Profiles of parts of a dump merge into one.
public struct DumpProfile: Sendable, Hashable {
    /// A file or another source that was read.
    public struct Source: Sendable, Hashable, Codable {
        /// The name.
        public let name: String
        /// The layout in words, as in `an array of records, gzip`.
        public let layout: String
        /// The paths of the records; empty if they are not inside of something.
        public let paths: [String]
        /// What tells the source from others, if it is a file.
        public let mark: SourceMark?
        /// The names of the tables whose rows are the records, if it is a database.
        public let tables: [String]?
    }

    /// How the sources were read, where that changes what is in them.
    struct Manner: Sendable, Hashable, Codable {
        private let keyName, valueName: String
        private let conversion: TextConversion

        init(_ reading: ReadOptions) {
            (keyName, valueName) = (reading.keyName, reading.valueName)
            conversion = reading.conversion
        }
    }

    /// What could not be read.
    public struct Damage: Sendable, Hashable, Codable {
        /// The number of damaged records and places between records.
        public internal(set) var count = 0
        /// The number of damaged bytes.
        public internal(set) var bytes = 0
        /// Descriptions of the first ones, a line each.
        public internal(set) var first: [String] = []
        /// Why the rest of the sources was not read; nil if they were read to their ends.
        public internal(set) var end: String?

        static let mostLines = 10

        /// Removes the reasons, which show the bytes at the places.
        package mutating func hideValues() {
            first = []
            if end != nil { end = "it is damaged" }
        }
    }

    /// The sources, in the order in which they were read.
    public internal(set) var sources: [Source] = []
    /// How they were read; nil if they were read in different manners.
    var manner: Manner?
    /// Whether all sources were read to their ends.
    public internal(set) var isWhole = true
    /// The bytes that were read, after decompression.
    public internal(set) var bytes = 0
    /// The bytes that were read, before decompression.
    public internal(set) var storedBytes = 0
    /// What could not be read.
    public package(set) var damage = Damage()
    /// What is in the sources besides their records.
    public internal(set) var outside = OutsideReport()
    /// The records; if they are at several paths, the whole text with these paths inside.
    public internal(set) var records = PathProfile(.records)
    /// The paths whose values may identify their objects, with the proof that they do or do not.
    public internal(set) var keys: [KeyFinding] = []
    /// The paths that are not profiled, since there are too many.
    public internal(set) var further = FurtherPaths()
    /// The most values that each path keeps.
    package internal(set) var resolution = Resolution.most

    /// The number of records.
    public internal(set) var recordCount = 0

    /// Whether the records are rows of a database.
    package var isOfRows: Bool { sources.contains { $0.tables != nil } }

    /// A profile of no records.
    init() {}
}
