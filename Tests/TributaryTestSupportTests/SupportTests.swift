import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// The tools on which other tests rely.
@Suite struct SupportTests {
    @Test("Equal seeds give equal numbers, which are evenly distributed")
    func seedsGiveTheSameNumbers() {
        var one = SeededGenerator(seed: 7)
        var two = SeededGenerator(seed: 7)
        #expect((0..<100).map { _ in one.next() } == (0..<100).map { _ in two.next() })
        #expect(SeededGenerator(seed: 8).seed == 8)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<10_000 { counts[one.below(10)] += 1 }
        #expect(counts.allSatisfy { $0 > 800 && $0 < 1200 })
    }

    @Test("A dump depends only on its kind, count and seed, and is valid UTF-8")
    func dumpsAreTheSameEachTime() {
        for kind in Dump.Kind.allCases {
            #expect(Dump(kind, count: 9).bytes == Dump(kind, count: 9).bytes)
            #expect(Dump(kind, count: 9, seed: 2).bytes != Dump(kind, count: 9, seed: 3).bytes)
            #expect(String(validating: Dump(kind, count: 50).bytes, as: UTF8.self) != nil)
        }
    }

    @Test(
        "The reference tokenizer finds the first fault of a JSON text",
        arguments: [
            ("[1,2]", nil), ("[1,]", 3), ("", 0), ("[", 1), ("01", 1), ("\"\\ud800\"", 1), ("[1] x", 4),
            ("\"a\u{1}\"", 2), ("tru", 3), ("nulL", 3),
            ("{\"a\":1,}", 7), ("1.", 2), ("-", 1), ("\"\\uD83D\\u", 9),
        ] as [(String, Int?)])
    func theReferenceKnowsItsGrammar(_ text: String, _ fault: Int?) {
        #expect(ReferenceTokenizer.firstFault(in: Array(text.utf8)) == fault)
    }

    @Test("Generated documents are valid JSON")
    func generatedDocumentsAreJSON() {
        var generator = JSONGenerator(SeededGenerator(seed: 5))
        for _ in 0..<500 {
            #expect(ReferenceTokenizer.firstFault(in: Array(generator.value().utf8)) == nil)
        }
    }

    @Test("A source in pieces delivers pieces of the chosen size")
    func piecesComeAsTheyAreCut() throws {
        let stream = try PieceSource(Array("abcdef".utf8), every: 4).open()
        var sizes: [Int] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try stream.read(into: buffer), count > 0 { sizes.append(count) }
        #expect(sizes == [4, 2])
    }

    @Test("A temporary folder is deleted when its last reference is released")
    func foldersGoAway() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder).write([1, 2], to: "x")
        #expect(FileManager.default.fileExists(atPath: path))
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
