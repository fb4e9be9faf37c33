import TributaryJSON

/// Objects and arrays inside of the JSON that a command prints.
extension JSONLineWriter {
    /// An object without a line feed.
    static func object(_ body: (inout JSONLineWriter) -> Void) -> [UInt8] {
        var writer = JSONLineWriter()
        body(&writer)
        return Array(writer.finish().dropLast())
    }

    /// An array of values that are JSON already.
    static func array(_ items: [some Sequence<UInt8>]) -> [UInt8] {
        [UInt8(ascii: "[")] + Array(items.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }

    mutating func add(_ key: String, _ value: String?) {
        if let value { add(key, value) } else { addNull(key) }
    }

    mutating func add(_ key: String, _ number: Int?) {
        if let number { add(key, number) } else { addNull(key) }
    }

    mutating func add(_ key: String, _ texts: [String]) {
        add(key, json: JSONLineWriter.array(texts.map(JSONLineWriter.quoted)))
    }

    /// Adds an object with members in the order of their names.
    mutating func add(_ key: String, _ counts: [String: Int]?) {
        add(key, of: counts) { $0.add($1, $2) }
    }

    /// Adds an object with members in the order of their names; `body` adds one to the object.
    mutating func add<Value>(
        _ key: String, of members: [String: Value]?, _ body: (inout JSONLineWriter, String, Value) -> Void
    ) {
        add(
            key,
            json: JSONLineWriter.object { object in
                for (name, value) in (members ?? [:]).sorted(by: { $0.key < $1.key }) { body(&object, name, value) }
            })
    }

    /// Adds an object that `body` fills.
    mutating func add(_ key: String, object body: (inout JSONLineWriter) -> Void) {
        add(key, json: JSONLineWriter.object(body))
    }
}
