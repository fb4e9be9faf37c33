/// Writes one flat JSON object on a line.
package struct JSONLineWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    package mutating func add(_ key: String, _ value: String) { add(key, json: JSONLineWriter.quoted(value)) }

    package mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, json: String(value).utf8) }

    package mutating func add(_ key: String, _ value: Bool) { add(key, json: (value ? "true" : "false").utf8) }

    package mutating func add(_ key: String, _ value: Double) {
        // JSON cannot represent NaN and infinity.
        add(key, json: (value.isFinite ? "\(value)" : "null").utf8)
    }

    package mutating func addNull(_ key: String) { add(key, json: "null".utf8) }

    /// Adds a value that is JSON already.
    package mutating func add(_ key: String, json: some Sequence<UInt8>) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += JSONLineWriter.quoted(key)
        bytes.append(UInt8(ascii: ":"))
        bytes += json
    }

    /// The line with its line feed.
    package func finish() -> [UInt8] { bytes + Array("}\n".utf8) }

    /// A text as a JSON string, with its quotes.
    package static func quoted(_ text: String) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        return [quote] + text.jsonEscaped + [quote]
    }
}
