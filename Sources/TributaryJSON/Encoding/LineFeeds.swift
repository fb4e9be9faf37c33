/// Counts line feeds, sixteen bytes at a time.
enum LineFeeds {
    static func count(in bytes: UnsafeRawBufferPointer) -> Int {
        var total = 0
        var index = 0
        let low = SIMD16<UInt8>(repeating: 0x7F)
        while bytes.count - index >= 16 {
            // A lane can count to 255, so the lanes are added up after that many rounds.
            var others = SIMD16<UInt8>()
            let rounds = min(255, (bytes.count - index) / 16)
            for _ in 0..<rounds {
                // The high bit of each byte that is not a line feed; a sum, because vectors are compared byte by byte.
                let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
                let difference = block ^ SIMD16(repeating: UInt8(ascii: "\n"))
                others &+= ((difference | ((difference & low) &+ low)) &>> 7)
                index += 16
            }
            total += 16 * rounds - (0..<16).reduce(0) { $0 + Int(others[$1]) }
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { total += 1 }
            index += 1
        }
        return total
    }
}
