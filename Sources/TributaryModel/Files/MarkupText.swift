/// The text of an XML file as UTF-8, from UTF-8 or from UTF-16 with a byte order mark.
enum MarkupText {
    static func utf8(_ bytes: [UInt8], file: String, limits: MarkupLimits) throws -> [UInt8] {
        guard bytes.count <= limits.bytes else {
            throw ModelError(["the file has more than \(limits.bytes) bytes, which no model needs"], file: file)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, high: 1, file) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, high: 0, file) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: text, as: UTF8.self) != nil else {
            throw ModelError(["the file is not UTF-8; save it as UTF-8"], file: file)
        }
        return text
    }

    private static func utf16(_ bytes: [UInt8], high: Int, _ file: String) throws -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + 1 - high])
        }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw ModelError(["the file is not UTF-16, though it begins so; save it as UTF-8"], file: file)
        }
        return Array(text.utf8)
    }
}
