import TributaryJSON

/// The bytes in which a record is held back: its origin and its key, then the record as it was read.
///
/// A number has eight bytes, and a text follows the number of its bytes.
extension HeldBackRecord {
    static func bytes(of record: Record) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(record.length + 256)
        func add(_ number: Int) { withUnsafeBytes(of: Int64(number)) { bytes.append(contentsOf: $0) } }
        func add(_ text: String) {
            add(text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        }
        let (origin, key) = (RecordOrigin(record), record.key)
        let position = origin.position
        add(position.file)
        for number in [position.byte, position.line, position.column, origin.number, origin.route, origin.path.count] {
            add(number)
        }
        for step in origin.path {
            switch step {
            case .index(let index): add(index)
            case .key(let key):
                add(-1)
                add(key)
            }
        }
        add(key == nil ? 0 : 1)
        if let key { add(key) }
        record.withRawBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Reads a record; nil if the bytes are not those of one.
    init?(primaryKey: Int64, _ bytes: [UInt8]) {
        var rest = bytes[...]
        func number() -> Int? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return Int(rest.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
        }
        func text() -> String? {
            guard let count = number(), (0...rest.count).contains(count) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return String(decoding: rest.prefix(count), as: UTF8.self)
        }
        guard let file = text(), let byte = number(), let line = number(), let column = number(),
            let record = number(), let route = number(), let steps = number(), (0...rest.count).contains(steps)
        else { return nil }
        var path: [PathStep] = []
        for _ in 0..<steps {
            guard let index = number() else { return nil }
            guard index < 0 else {
                path.append(.index(index))
                continue
            }
            guard let key = text() else { return nil }
            path.append(.key(key))
        }
        guard let hasKey = number() else { return nil }
        key = hasKey == 1 ? text() : nil
        self.primaryKey = primaryKey
        let position = SourcePosition(file: file, byte: byte, line: line, column: column)
        origin = RecordOrigin(position: position, number: record, route: route, path: path)
        raw = rest
    }
}
