import Foundation

extension Reject {
    /// Appends the reject as one line of JSON, as in a rejects file.
    ///
    ///     {"file":"users.json","byte":211,"line":3,"column":17,"record":12,"path":"$[11].name",
    ///      "code":"syntax.unexpected","reason":"found x, expected a value","start":190,"length":61,"raw":"{…}"}
    ///
    /// (on one line). Bytes that are not UTF-8 are in base64 under `rawBase64`; `truncated` means that only the first
    /// bytes were kept.
    public func appendJSONLine(to output: inout [UInt8]) { appendJSONLine(to: &output, of: nil) }

    /// Appends the reject as one line of JSON that begins with its row in a store and its origin, and ends with its check.
    ///
    ///     {"reject":7,"run":4,"entity":"User","at":".users{}","key":"u1","keyAs":"_key","file":"users.json",…}
    package func appendJSONLine(to output: inout [UInt8], of origin: RejectOrigin?) {
        var writer = JSONLineWriter()
        if let origin {
            if let id = origin.id { writer.add("reject", id) }
            writer.add("run", origin.run)
            if let entity = origin.entity { writer.add("entity", entity) }
            if let path = origin.path { writer.add("at", path) }
            if let key = origin.key {
                writer.add("key", key.text)
                writer.add("keyAs", key.name)
            }
        }
        if let position = error.position {
            writer.add("file", position.file)
            writer.add("byte", position.byte)
            writer.add("line", position.line)
            writer.add("column", position.column)
        }
        if let record { writer.add("record", record) }
        if let path = error.path { writer.add("path", path) }
        writer.add("code", origin?.code ?? error.code.rawValue)
        writer.add("reason", error.reason)
        writer.add("start", offset)
        writer.add("length", length)
        if let text = String(validating: raw, as: UTF8.self) {
            writer.add("raw", text)
        } else {
            writer.add("rawBase64", Data(raw).base64EncodedString())
        }
        if raw.count < length { writer.add("truncated", true) }
        if let origin { writer.add("check", check(of: origin)) }
        output += writer.finish()
    }

    /// A hash of the record and of what decides where it is imported; the same in each run, for a source of any name.
    package func check(of origin: RejectOrigin) -> String {
        var digest = ByteDigest()
        let texts = [origin.entity, origin.path, origin.key?.text, origin.key?.name]
        for text in texts { digest.update(Array((text ?? "").utf8) + [0]) }
        digest.update(raw)
        return digest.text
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
