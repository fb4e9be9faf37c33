import Foundation
package import TributaryStore
package import TributaryJSON

/// The position and bytes of a row's record, stored with a held-back row that may be rejected later.
package struct RowOrigin: Codable {
    /// Where the record was read.
    let record: RecordOrigin
    private var length: Int
    private var raw: Data
    /// The key of the record, if it was a member of an object of records.
    private(set) var key: String?

    package init(_ record: Record, keepingBytes limit: Int) {
        self.record = RecordOrigin(record)
        length = record.length
        key = record.key
        raw = record.withRawBytes { Data($0.prefix(limit)) }
    }

    init(_ record: RecordOrigin, length: Int, raw: ArraySlice<UInt8>, key: String?) {
        (self.record, self.length, self.raw, self.key) = (record, length, Data(raw), key)
    }

    /// The origin as text.
    package var text: String {
        guard let data = try? JSONEncoder().encode(self) else {
            fatalError("internal error: the origin of a row cannot be encoded")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Decodes an origin from its `text`.
    package init(_ text: String) throws { self = try JSONDecoder().decode(RowOrigin.self, from: Data(text.utf8)) }

    /// A reject of the record for a reason `offset` bytes after its start, at `path` within it.
    package func reject(_ reason: JSONError, offset: Int = 0, path suffix: Substring = "") -> Reject {
        var position = record.position
        if offset > 0, offset <= raw.count {
            let before = raw.prefix(offset)
            position.byte += offset
            position.line += before.count { $0 == UInt8(ascii: "\n") }
            position.column = before.lastIndex(of: UInt8(ascii: "\n")).map { offset - $0 } ?? position.column + offset
        }
        var error = reason
        error.position = position
        error.record = record.number
        error.path = record.path.jsonPath + suffix
        var reject = Reject(error: error, offset: record.position.byte, length: length, raw: Array(raw))
        reject.key = key
        return reject
    }
}

extension BulkOutcome.Fault {
    /// The fault as an error of a record.
    package var error: JSONError {
        switch self {
        case .incomplete(let column):
            JSONError(.validateRequired, "\(column) is required for a new object, and has no value")
        case .notUnique(let message):
            JSONError(.storeUnique, "a value that must be unique exists already: \(message)")
        case .violated(let message): JSONError(.storeConstraint, "the table refuses it: \(message)")
        case .otherEntity(let entity):
            JSONError(.storeEntity, "the key belongs to an object of an entity other than \(entity)")
        }
    }
}
