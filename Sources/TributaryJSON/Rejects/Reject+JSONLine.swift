import Foundation

extension Reject {
    /// Appends the reject as one line of JSON, as in a rejects file.
    ///
    ///     {"file":"users.json","byte":211,"line":3,"column":17,"record":12,"path":"$[11].name",
    ///      "code":"syntax.unexpected","reason":"found x, expected a value","start":190,"length":61,"raw":"{…}"}
    ///
    /// (on one line). Bytes that are not UTF-8 are in base64 under `rawBase64`; `truncated` means that only the first
    /// bytes were kept.
    public func appendJSONLine(to output: inout [UInt8]) {
        var writer = JSONLineWriter()
        writer.add(self)
        output += writer.finish()
    }
}

extension JSONLineWriter {
    /// Adds the members of a reject; `code` is the stable name of the error if it differs from that of the reject.
    package mutating func add(_ reject: Reject, code: String? = nil) {
        if let position = reject.error.position {
            add("file", position.file)
            add("byte", position.byte)
            add("line", position.line)
            add("column", position.column)
        }
        if let record = reject.record { add("record", record) }
        if let path = reject.error.path { add("path", path) }
        add("code", code ?? reject.error.code.rawValue)
        add("reason", reject.error.reason)
        add("start", reject.offset)
        add("length", reject.length)
        if let text = String(validating: reject.raw, as: UTF8.self) {
            add("raw", text)
        } else {
            add("rawBase64", Data(reject.raw).base64EncodedString())
        }
        if reject.raw.count < reject.length { add("truncated", true) }
    }
}

extension String {
    /// The text with JSON escapes, without quotes.
    package var jsonEscaped: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
            case UInt8(ascii: "\t"): bytes += Array("\\t".utf8)
            case UInt8(ascii: "\r"): bytes += Array("\\r".utf8)
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                bytes += Array("\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
