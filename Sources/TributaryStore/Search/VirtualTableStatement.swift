/// The statement that made a virtual table, as SQLite keeps it.
///
///     CREATE VIRTUAL TABLE "users_fts" USING fts5("title", "name", content="users", content_rowid="_pk")
struct VirtualTableStatement {
    /// The module, in lower case.
    let module: String
    /// The names of the columns.
    private(set) var columns: [String] = []
    /// The values of the options, by their names in lower case.
    private(set) var options: [String: String] = [:]

    /// Reads a statement; nil if it makes no virtual table with arguments.
    init?(of sql: String) {
        var words = Words(sql)
        for expected in ["create", "virtual", "table"] where words.next()?.lowercased() != expected { return nil }
        guard words.next() != nil, words.next()?.lowercased() == "using", let module = words.next(),
            words.skip("(")
        else { return nil }
        self.module = module.lowercased()
        while let name = words.next() {
            if words.skip("=") {
                options[name.lowercased()] = words.next() ?? ""
            } else {
                columns.append(name)
            }
            while !words.skip(",") {
                if words.skip(")") { return }
                guard words.next() != nil else { return nil }
            }
        }
        return nil
    }

    /// The words of a statement: names and texts without their quotes, and single signs.
    private struct Words {
        private let bytes: [UInt8]
        private var place = 0

        init(_ text: String) { bytes = Array(text.utf8) }

        /// Moves behind a sign if it comes next.
        mutating func skip(_ sign: Unicode.Scalar) -> Bool {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[place]) { place += 1 }
            guard place < bytes.count, bytes[place] == UInt8(ascii: sign) else { return false }
            place += 1
            return true
        }

        /// The next word; nil at the end, or if its quote is not closed.
        mutating func next() -> String? {
            for (quote, end) in [("\"", "\""), ("'", "'"), ("`", "`"), ("[", "]")] as [(Unicode.Scalar, Unicode.Scalar)]
            where skip(quote) {
                return quoted(until: UInt8(ascii: end))
            }
            let start = place
            while place < bytes.count, Words.isPlain(bytes[place]) { place += 1 }
            if place == start { place = min(place + 1, bytes.count) }
            return place == start ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
        }

        private mutating func quoted(until end: UInt8) -> String? {
            var text: [UInt8] = []
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                if byte == end {
                    // A quote in a name is doubled.
                    guard end != UInt8(ascii: "]"), place < bytes.count, bytes[place] == end else {
                        return String(decoding: text, as: UTF8.self)
                    }
                    place += 1
                }
                text.append(byte)
            }
            return nil
        }

        private static func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                true
            default: false
            }
        }
    }
}
