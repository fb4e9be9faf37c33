/// Counts line feeds, sixteen bytes at a time.
enum LineFeeds {
    static func count(in bytes: UnsafeRawBufferPointer) -> Int {
        var total = 0
        var index = 0
        let pattern = SIMD16<UInt8>(repeating: UInt8(ascii: "\n"))
        while bytes.count - index >= 16 {
            // Each lane counts up to 255 before the lanes are added up.
            var lanes = SIMD16<UInt8>()
            var rounds = min(255, (bytes.count - index) / 16)
            while rounds > 0 {
                let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
                lanes &-= SIMD16<UInt8>(repeating: 0).replacing(with: SIMD16(repeating: 255), where: block .== pattern)
                index += 16
                rounds -= 1
            }
            total += (0..<16).reduce(0) { $0 + Int(lanes[$1]) }
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { total += 1 }
            index += 1
        }
        return total
    }
}
