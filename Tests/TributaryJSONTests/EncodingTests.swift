import Testing
import TributaryJSON
import TributaryTestSupport

/// UTF-16, UTF-32, byte order marks, and invalid UTF-8.
@Suite struct EncodingTests {
    private static let text = "[{\"name\":\"é日本😀\u{10FFFF}\",\"v\":1},{\"name\":\"\u{7FF}\u{800}\u{FFFF}\"}]\n"

    static func encode(_ text: String, width: Int, isLittleEndian: Bool, mark: Bool) -> [UInt8] {
        let units: [UInt32] = width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
        return ((mark ? [0xFEFF] : []) + units).flatMap { unit in
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
    }

    @Test("UTF-16 and UTF-32 are converted however the bytes are split", arguments: [2, 4], [true, false])
    func convertedWhateverTheCut(_ width: Int, _ isLittleEndian: Bool) {
        let expected = Reading(Self.text).records
        for mark in [true, false] {
            let bytes = Self.encode(Self.text, width: width, isLittleEndian: isLittleEndian, mark: mark)
            for size in [1, 2, 3, 5, 64, 10_000] {
                #expect(Reading(PieceSource(bytes, every: size)).records == expected, "\(mark) \(size)")
            }
            var options = ReadOptions()
            for size in [1, 2, 3, 4, 5] {
                options.bufferBytes = size
                #expect(Reading(MemorySource(bytes), options).records == expected)
            }
        }
    }

    @Test("The report of a reader names the converted encoding")
    func theEncodingIsStated() throws {
        let bytes = Self.encode("[1]", width: 2, isLittleEndian: true, mark: true)
        let reader = RecordReader(from: MemorySource(bytes))
        while try reader.next() != nil {}
        #expect(reader.report.sources.map(\.description) == ["memory: an array of records, converted from UTF-16LE"])
    }

    @Test("A long dump in UTF-16 has the same records as in UTF-8")
    func aLongTextInUTF16() {
        let dump = Dump(.users, count: 2000).bytes
        let bytes = Self.encode(String(decoding: dump, as: UTF8.self), width: 2, isLittleEndian: false, mark: true)
        #expect(Reading(MemorySource(bytes)).records == Reading(MemorySource(dump)).records)
    }

    @Test("A byte order mark is skipped, but positions count it")
    func aMarkIsStrippedAndCounted() {
        let reading = Reading(MemorySource([0xEF, 0xBB, 0xBF] + Array("[7]".utf8)))
        #expect(reading.records == ["7"])
        #expect(reading.places.first?.hasPrefix("4+1 line 1") == true)
        let error = Reading(MemorySource([0xEF, 0xBB, 0xBF] + Array("[x]".utf8))).failure
        #expect(error?.position?.byte == 4)
        #expect(error?.position?.column == 2)
    }

    @Test("The bytes of a string are accepted exactly if Swift accepts them as UTF-8")
    func validityAgreesWithSwift() {
        var random = SeededGenerator.fresh()
        let parts: [[UInt8]] = [
            [0x41], [0xC3, 0xA9], [0xE6, 0x97, 0xA5], [0xF0, 0x9F, 0x98, 0x80], [0xC0, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0x80], [0xBF], [0xC3], [0xE6, 0x97],
            [0xF0, 0x9F, 0x98], [0xFE], [0xFF],
            [0xF5], [0xC1], Array("0123456789abcdef".utf8),
        ]
        for _ in 0..<3000 {
            let content = (0..<random.below(6)).flatMap { _ in random.pick(parts) }
            let isValid = String(validating: content, as: UTF8.self) != nil
            let bytes = Array("[\"".utf8) + content + Array("\"]".utf8)
            let reading = Reading(PieceSource(bytes, every: 1 + random.below(bytes.count)))
            #expect((reading.failure == nil) == isValid, "\(content), seed \(random.seed)")
        }
    }

    @Test("Half of an escaped surrogate pair is an error at its backslash")
    func surrogatesComeInPairs() {
        var random = SeededGenerator.fresh()
        let parts = ["\\ud83d", "\\uDE00", "\\u0041", "x", "\\\\", "\\n", "\\ud83d\\ude00", "ud800", "\\\\ud800"]
        for _ in 0..<3000 {
            let content = (0..<random.below(6)).map { _ in random.pick(parts) }.joined()
            let bytes = Array("[\"\(content)\"]".utf8)
            let expected = ReferenceTokenizer.firstFault(in: bytes)
            let reading = Reading(PieceSource(bytes, every: 1 + random.below(bytes.count)))
            #expect(reading.failure?.position?.byte == expected, "\(content), seed \(random.seed)")
        }
    }
}
