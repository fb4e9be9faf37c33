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
    /// How many bytes of a record are no blanks, if it has a key or was not kept as a whole.
    private var solid = 0

    init(_ record: Record, keepingBytes limit: Int) {
        let place = record.position
        (file, byte, line, column) = (place.file, place.byte, place.line, place.column)
        number = record.number
        path = record.path.jsonPath
        length = record.length
        key = record.key
        raw = record.withRawBytes { Data($0.prefix(limit)) }
        if key != nil || raw.count < length { solid = record.withRawBytes { RowOrigin.count(of: $0) } }
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
        reject(reason, at: SourcePosition(file: file, byte: byte, line: line, column: column), path)
    }

    /// The row as a reject for what was found in its text as it was set aside, which begins at byte `start`: without blanks
    /// between its tokens, and with its key before them.
    func reject(foundAside reason: JSONError, in text: [UInt8], from start: Int) -> Reject {
        var place = SourcePosition(file: file, byte: byte, line: line, column: column)
        let prefix = key == nil ? 0 : text.count - solid
        let isWrapped = raw.first != UInt8(ascii: "{")
        let wanted = (reason.position?.byte ?? start) - start - (isWrapped ? max(0, prefix - 1) : prefix)
        // Where there are no blanks nothing need be looked for.
        if wanted > 0, let offset = solid == length ? wanted : RowOrigin.offset(of: wanted, in: raw) {
            let before = Array(raw.prefix(offset))
            let feed = before.lastIndex(of: UInt8(ascii: "\n"))
            place.byte += offset
            place.line += before.count { $0 == UInt8(ascii: "\n") }
            place.column = feed.map { before.count - $0 } ?? column + offset
        }
        return reject(reason, at: place, path + (reason.path?.dropFirst() ?? ""))
    }

    private func reject(_ reason: JSONError, at place: SourcePosition, _ path: String) -> Reject {
        var error = reason
        error.position = place
        error.record = number
        error.path = path
        var reject = Reject(error: error, offset: byte, length: length, raw: Array(raw))
        reject.key = key
        return reject
    }

    // MARK: Blanks

    /// How many bytes are no blanks between tokens.
    private static func count(of raw: UnsafeRawBufferPointer) -> Int {
        var count = 0
        raw.forEachStretch { count += $0.count }
        return count
    }

    /// Where the byte lies before which there are so many that are no blanks; nil if it was not kept.
    private static func offset(of wanted: Int, in raw: Data) -> Int? {
        var (passed, found): (Int, Int?) = (0, nil)
        raw.withUnsafeBytes { bytes in
            bytes.forEachStretch { stretch in
                if (passed..<passed + stretch.count).contains(wanted) { found = stretch.lowerBound + wanted - passed }
                passed += stretch.count
            }
        }
        return found
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
