package import TributarySQLite

extension StoredModel {
    private static let sample = "model of a sample"

    /// Whether the tables are those that the beginnings of the sources of an unfinished import have told.
    package static func isOfSample(on connection: Connection) throws -> Bool {
        try MetadataTable.value(of: sample, on: connection) != nil
    }

    /// Notes whether the tables are those of a sample.
    package static func mark(ofSample isOfSample: Bool, on connection: Connection) throws {
        if isOfSample {
            try MetadataTable.set(sample, to: "1", on: connection)
        } else {
            try MetadataTable.remove(sample, on: connection)
        }
    }
}
