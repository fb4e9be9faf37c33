import TributaryJSON

/// The text of an array of PostgreSQL.
///
///     [1, null, "a\\"b"]  →  {1,NULL,"a\\"b"}        "{1,2}"  →  {1,2}
enum ArrayText {
    /// The text for an array of JSON, or in a text of JSON; nil for another value, and for objects in an array.
    static func text(of json: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let first = json.first else { return nil }
        var index = 0
        if first == UInt8(ascii: "\"") { return string(json, &index) }
        guard first == UInt8(ascii: "[") else { return nil }
        var text: [UInt8] = []
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "["): text.append(UInt8(ascii: "{"))
            case UInt8(ascii: "]"): text.append(UInt8(ascii: "}"))
            case UInt8(ascii: "{"): return nil
            case UInt8(ascii: "n"):
                text += Array("NULL".utf8)
                index += 3
            case UInt8(ascii: "\""):
                let value = string(json, &index)
                text.append(UInt8(ascii: "\""))
                for byte in value {
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
                    text.append(byte)
                }
                text.append(UInt8(ascii: "\""))
                continue
            case let byte: text.append(byte)
            }
            index += 1
        }
        return text
    }

    /// The text of the string at `index`, which is then that of the byte after it.
    private static func string(_ json: UnsafeRawBufferPointer, _ index: inout Int) -> [UInt8] {
        let start = index + 1
        index = start
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let raw = UnsafeRawBufferPointer(rebasing: json[start..<min(index, json.count)])
        index += 1
        return [UInt8](unsafeUninitializedCapacity: raw.count) { memory, count in
            guard let base = memory.baseAddress else { return }
            count = raw.withMemoryRebound(to: UInt8.self) { RawValue.decode($0, into: UnsafeMutableRawPointer(base)) }
        }
    }
}
