import Foundation

extension ByteSource {
    /// The name of the first member, if the text begins with an object; nil if it begins otherwise or has no member.
    ///
    /// At most the first 64 KiB of the decoded text are read.
    ///
    /// - Throws: `JSONError` if the source cannot be read.
    package func firstMemberName(_ options: ReadOptions) throws -> String? {
        let stream = try DecodedStream(open(), limits: options.limits, options.conversion).stream
        defer { stream.cancel() }
        var bytes: [UInt8] = []
        try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while bytes.count < 64 << 10, FirstMember.name(in: bytes) == nil {
                let count = try stream.read(into: buffer)
                if count == 0 { break }
                bytes += buffer[..<count]
            }
        }
        guard let name = FirstMember.name(in: bytes) else { return nil }
        return try? JSONDecoder().decode(String.self, from: Data(name))
    }
}

/// Finds the first key of a text.
private enum FirstMember {
    /// The first key with its quotes, if the text begins with an object whose first key is complete.
    static func name(in text: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = text[...]
        guard next(&rest) == UInt8(ascii: "{"), next(&rest) == UInt8(ascii: "\"") else { return nil }
        let start = rest.startIndex - 1
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            if byte == UInt8(ascii: "\"") { return text[start..<rest.startIndex] }
        }
        return nil
    }

    /// Removes and returns the first byte after white space.
    private static func next(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return rest.popFirst()
    }
}
