/// Converts an XML file to UTF-8 without a byte order mark, from UTF-8 or from UTF-16 with one.
enum MarkupText {
    static func utf8(_ bytes: [UInt8], file: String) throws -> [UInt8] {
        guard bytes.count <= MarkupLimits.bytes else {
            throw ModelError(["the file exceeds the limit of \(MarkupLimits.bytes) bytes for model files"], file: file)
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
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
        }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw ModelError(["the file begins like UTF-16 and is not valid UTF-16; save it as UTF-8"], file: file)
        }
        return Array(text.utf8)
    }
}
