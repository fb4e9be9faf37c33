/// Writes one flat JSON object on a line.
package struct JSONLineWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    package mutating func add(_ key: String, _ value: String) {
        addKey(key)
        append(value)
    }

    package mutating func add(_ key: String, _ value: some BinaryInteger) {
        addKey(key)
        bytes += Array(String(value).utf8)
    }

    package mutating func add(_ key: String, _ value: Bool) {
        addKey(key)
        bytes += Array((value ? "true" : "false").utf8)
    }

    package mutating func add(_ key: String, _ value: Double) {
        addKey(key)
        // JSON cannot represent NaN and infinity.
        bytes += Array((value.isFinite ? "\(value)" : "null").utf8)
    }

    package mutating func addNull(_ key: String) {
        addKey(key)
        bytes += Array("null".utf8)
    }

    /// Adds a value that is JSON already.
    package mutating func add(_ key: String, json: some Sequence<UInt8>) {
        addKey(key)
        bytes += json
    }

    /// The line with its line feed.
    package func finish() -> [UInt8] { bytes + Array("}\n".utf8) }

    private mutating func addKey(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        append(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: String) { bytes += JSONLineWriter.quoted(text) }

    /// A text as a JSON string, with its quotes.
    package static func quoted(_ text: String) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        return [quote] + text.jsonEscaped + [quote]
    }
}
