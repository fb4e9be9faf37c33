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

    /// The line with its line feed.
    package func finish() -> [UInt8] { bytes + Array("}\n".utf8) }

    private mutating func addKey(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        append(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes += text.jsonEscaped
        bytes.append(UInt8(ascii: "\""))
    }
}
