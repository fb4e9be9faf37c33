import Testing
import TributaryGraph
import TributaryTestSupport

@Suite("Bitmaps of keys") struct KeyBitmapTests {
    @Test("A bitmap equals a set of the same keys")
    func bitmapsAreSets() {
        var generator = SeededGenerator.fresh()
        print("seed \(generator.seed)")
        var (bitmap, set) = (KeyBitmap(), Set<Int64>())
        #expect(bitmap.isEmpty && bitmap.keys.isEmpty && !bitmap.contains(0) && !bitmap.contains(-1))
        for _ in 0..<2_000 {
            let bound = generator.pick([10, 32_768, 100_000, 1 << 40])
            let key = Int64(generator.below(bound))
            #expect(bitmap.insert(key) == set.insert(key).inserted)
        }
        for key: Int64 in [0, 32_767, 32_768, 65_535, .max] {
            bitmap.insert(key)
            set.insert(key)
        }
        #expect(bitmap.keys == set.sorted() && bitmap.count == set.count)
        for key in set { #expect(bitmap.contains(key)) }
        for _ in 0..<1_000 {
            let key = Int64(generator.below(100_000))
            #expect(bitmap.contains(key) == set.contains(key))
        }
    }

    @Test("Bitmaps are joined block by block")
    func bitmapsAreJoined() throws {
        var bitmap = KeyBitmap([1, 40_000])
        bitmap.formUnion(KeyBitmap([2, 40_000, 70_000]))
        #expect(bitmap == KeyBitmap([1, 2, 40_000, 70_000]) && bitmap.blockNumbers == [0, 1, 2])
        let block = try #require(bitmap[block: 0])
        #expect(block.count == 4_096 && block[0] == 0b110)
        bitmap.formUnion(block: 9, [UInt8](repeating: 0, count: 4_096))
        #expect(bitmap[block: 9] == nil)
    }
}
