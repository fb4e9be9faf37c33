import Testing
import TributaryImport
import TributaryTestSupport

/// Which bytes are text.
struct UTF8CheckTests {
    @Test("The bytes that are valid UTF-8 are those of which the standard library makes a string")
    func drawn() {
        var random = SeededGenerator.sampled(5)
        var counts = [0, 0]
        // Bytes at the borders of what may follow each other.
        let borders: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<200_000 {
            var bytes = [UInt8](repeating: 0x61, count: Int.random(in: 0...17, using: &random))
            let length = Int.random(in: 1...5, using: &random)
            bytes.insert(
                contentsOf: (0..<length).map { _ in borders.randomElement(using: &random) ?? 0 },
                at: Int.random(in: 0...bytes.count, using: &random))
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            counts[isValid ? 1 : 0] += 1
            guard bytes.withUnsafeBytes({ UTF8Check.isValid($0) }) == isValid else {
                Issue.record("\(bytes): \(isValid), seed \(random.seed)")
                return
            }
        }
        // All scalars, and the end of each of them.
        for value in UInt32(0x80)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            guard bytes.withUnsafeBytes({ UTF8Check.isValid($0) }),
                !bytes.dropLast().withUnsafeBytes({ UTF8Check.isValid($0) })
            else {
                Issue.record("\(bytes)")
                return
            }
        }
        #expect(counts.min() ?? 0 > 5000)
    }
}
