extension ByteSource {
    /// The format of a text that is not JSON, such as `CSV`, by its first bytes; nil if it may be JSON, or is unknown.
    ///
    /// The source is opened once more, so it must not be a pipe.
    package func otherFormat(_ options: ReadOptions) -> String? {
        (try? beginning(options, upTo: OtherFormat.sampleBytes)).flatMap(OtherFormat.name)
    }
}

/// Tells formats that are not JSON.
enum OtherFormat {
    /// The number of first bytes that are examined.
    static let sampleBytes = 4096

    private static let marks = [("PAR1", "Parquet"), ("SQLite format 3", "a database of SQLite"), ("%PDF-", "PDF")]

    /// The format of a text with these first bytes; nil if it may be JSON, or is unknown.
    static func name(of bytes: [UInt8]) -> String? {
        for (mark, name) in marks where bytes.starts(with: mark.utf8) { return name }
        guard let first = bytes.first(where: { $0 > 0x20 }), first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
        else {
            return nil
        }
        // Tabs, line ends and the separator of JSON texts are the control characters of texts.
        if bytes.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1E].contains($0) }) {
            return "a binary file"
        }
        if first == UInt8(ascii: "<") { return "XML or HTML" }
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(2).map(Array.init)
        for (separator, name) in [("\t", "TSV"), (",", "CSV"), (";", "CSV")] {
            let counts = lines.map { separators(in: $0, separator.utf8.first ?? 0) }
            // The second line may be cut off.
            if counts[0] > 0, counts.count == 1 || counts[1] == counts[0] { return name }
        }
        return isYAML(lines[0]) ? "YAML" : nil
    }

    /// How often a separator stands outside of quotes.
    private static func separators(in line: [UInt8], _ separator: UInt8) -> Int {
        var (count, isQuoted) = (0, false)
        for byte in line {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == separator, !isQuoted { count += 1 }
        }
        return count
    }

    /// Whether a line is the first one of a document, an element, or a key with its colon.
    private static func isYAML(_ line: [UInt8]) -> Bool {
        if line.starts(with: "---".utf8) || line.starts(with: "- ".utf8) || line.starts(with: "%YAML".utf8) {
            return true
        }
        let name = line.prefix { $0 >= 0x80 || $0 == 0x2D || $0 == 0x5F || (0x30...0x7A).contains($0) && $0 != 0x3A }
        let rest = line.dropFirst(name.count)
        return !name.isEmpty && !(0x30...0x39).contains(name[0]) && rest.first == UInt8(ascii: ":")
            && (rest.count == 1 || rest.dropFirst().first == 0x20)
    }
}
