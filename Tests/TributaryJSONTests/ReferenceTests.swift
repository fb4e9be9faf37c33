import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Every truncation and every change of a byte, compared with an independent tokenizer.
@Suite struct ReferenceTests {
    private static let samples: [String] = [
        #"[{"id":1,"name":"é\u00e9\ud83d\ude00\n","v":[1,-2.5e+3,true,null,{}]},{"id":2}]"#,
        "{\"a\" : [ ] ,\r\n \"b\\\\\" : { \"c\" : \"日本\" , \"d\" : 0.1E-2 } }\n",
        #"[[[]],{"k":{"k":{"k":"\"\\\/\b"}}},"x",-0,10]"#,
        "  -12.5e3  ", "\"\\ud834\\udd1e\"", "[false]",
    ]

    private func compare(_ bytes: [UInt8], _ what: @autoclosure () -> String) {
        // A text that begins like UTF-16 or UTF-32 is converted, which the reference does not do.
        let start = bytes.prefix(4)
        if start.contains(0) || start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return }
        let expected = ReferenceTokenizer.firstFault(in: bytes)
        let found = Reading(MemorySource(bytes), SyntaxFixtureTests.validating()).failure
        #expect(
            found?.position?.byte == expected, "\(what()): \(String(decoding: bytes, as: UTF8.self)) \(found as Any)")
        guard let expected, let position = found?.position else { return }
        let before = bytes[..<expected]
        #expect(position.line == before.count { $0 == 0x0A } + 1)
        #expect(position.column == expected - (before.lastIndex(of: 0x0A) ?? -1))
    }

    @Test("A truncated text has its error where the reference tokenizer finds it", arguments: samples)
    func everyTruncation(_ sample: String) {
        let bytes = Array(sample.utf8)
        for length in 0...bytes.count { compare(Array(bytes[..<length]), "first \(length) bytes") }
    }

    @Test("A removed or doubled byte is an error where the reference tokenizer finds it", arguments: samples)
    func everyDeletionAndDoubling(_ sample: String) {
        let bytes = Array(sample.utf8)
        for index in bytes.indices {
            var shorter = bytes
            shorter.remove(at: index)
            compare(shorter, "without byte \(index)")
            var longer = bytes
            longer.insert(bytes[index], at: index)
            compare(longer, "byte \(index) twice")
        }
    }

    @Test("A replaced byte is an error where the reference tokenizer finds it", arguments: samples)
    func everyByteReplaced(_ sample: String) {
        let bytes = Array(sample.utf8)
        let others: [UInt8] =
            Array("\"\\{}[]:, x0-.eut/\u{0}\n\u{0B}\u{0C}".utf8) + [0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        for index in bytes.indices {
            for other in others + [bytes[index] ^ 1, bytes[index] ^ 0x20] where other != bytes[index] {
                var mutated = bytes
                mutated[index] = other
                compare(mutated, "byte \(index) as \(other)")
            }
        }
    }

    @Test("A changed byte of a dump is an error where the reference tokenizer finds it")
    func everyFixtureByteFlipped() throws {
        let folder = Tool.package.appending(path: "Fixtures/dumps")
        var random = SeededGenerator.fresh()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            for _ in 0..<60 {
                var mutated = bytes
                let index = random.below(bytes.count)
                mutated[index] = UInt8(random.below(256))
                compare(mutated, "\(name) byte \(index), seed \(random.seed)")
            }
        }
    }
}
