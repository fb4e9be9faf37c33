import Foundation
import TributaryGraph
import TributaryJSON

/// Where a row comes from, as it is kept with one that is set aside and may be refused later.
struct RowOrigin: Codable {
    private var file: String
    private var byte: Int
    private var line: Int
    private var column: Int
    private var number: Int
    private var path: String
    private var length: Int
    private var raw: Data
    private var key: String?

    init(_ record: Record, keepingBytes limit: Int) {
        let place = record.position
        (file, byte, line, column) = (place.file, place.byte, place.line, place.column)
        number = record.number
        path = record.path.jsonPath
        length = record.length
        key = record.key
        raw = record.withRawBytes { Data($0.prefix(limit)) }
    }

    /// The place as text.
    var text: String {
        guard let data = try? JSONEncoder().encode(self) else {
            fatalError("a place is plain values, which can be written")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads what `text` gave.
    init(_ text: String) throws { self = try JSONDecoder().decode(RowOrigin.self, from: Data(text.utf8)) }

    /// The row as a reject.
    func reject(_ fault: BulkOutcome.Fault) -> Reject { reject(fault.error) }

    /// The row as a reject for a reason.
    func reject(_ reason: JSONError) -> Reject {
        var error = reason
        error.position = SourcePosition(file: file, byte: byte, line: line, column: column)
        error.record = number
        error.path = path
        var reject = Reject(error: error, offset: byte, length: length, raw: Array(raw))
        reject.key = key
        return reject
    }
}

extension BulkOutcome.Fault {
    /// The fault as an error of a record.
    var error: JSONError {
        switch self {
        case .incomplete(let column):
            JSONError(.validateRequired, "\(column) has no value, and a new object must have one")
        case .notUnique(let message):
            JSONError(.storeUnique, "a value is there already that must be unique: \(message)")
        case .otherEntity(let entity):
            JSONError(.storeEntity, "the key belongs to an object that is no \(entity)")
        }
    }
}
