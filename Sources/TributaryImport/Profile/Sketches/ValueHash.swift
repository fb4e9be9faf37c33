/// Hashes of values that are the same in every run, so that profiles of different runs can be compared and merged.
///
/// Equal values have equal hashes, and different ones of up to some hundred millions hardly ever have. 1, 1.0 and 1e0 are
/// equal, the number 1 and the text "1" are not.
package enum ValueHash {
    private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let second: UInt64 = 0xD6E8_FEB8_6659_FD93
    private static let ofText: UInt64 = 0xA076_1D64_78BD_642F
    private static let ofDigits: UInt64 = 0xE703_7ED1_A0B4_28DB

    /// The hash of no name, as that of the elements of an array.
    static let ofNoName = text([])

    /// The hash of text; eight bytes after its end may be loaded.
    @inline(__always)
    static func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 { hash(bytes, count, ofText) }

    /// The hash of text in an array.
    package static func text(_ bytes: [UInt8]) -> UInt64 { padded(bytes, ofText) }

    /// The hash of an integer.
    @inline(__always)
    package static func integer(_ value: Int64) -> UInt64 {
        result(fold(UInt64(bitPattern: value) ^ first, second))
    }

    /// The hash of digits, which do not end with 0, and a negative power of ten.
    @inline(__always)
    static func decimal(_ digits: UInt64, exponent: Int, isNegative: Bool) -> UInt64 {
        let power = UInt64(bitPattern: Int64(exponent)) << 1 | (isNegative ? 1 : 0)
        return result(fold(digits ^ second, power ^ ofDigits))
    }

    /// The hash of more digits than fit into a word.
    static func decimal(_ digits: [UInt8], exponent: Int, isNegative: Bool) -> UInt64 {
        decimal(padded(digits, ofDigits), exponent: exponent, isNegative: isNegative)
    }

    /// Mixes a number into one whose bits all depend on all of its bits.
    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 { fold(value ^ first, ofText) }

    private static func padded(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        (bytes + [0, 0, 0, 0, 0, 0, 0, 0]).withUnsafeBufferPointer { padded in
            padded.baseAddress.map { hash($0, bytes.count, seed) } ?? seed
        }
    }

    /// Multiplies and folds sixteen bytes at a time.
    @inline(__always)
    private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int, _ seed: UInt64) -> UInt64 {
        let bytes = UnsafeRawPointer(start)
        var state = seed ^ UInt64(truncatingIfNeeded: count)
        var index = 0
        while count - index > 16 {
            state = fold(load(bytes + index) ^ first, load(bytes + index + 8) ^ state)
            index += 16
        }
        let rest = count - index
        let low = tail(bytes + index, min(8, rest))
        let high = rest > 8 ? tail(bytes + index + 8, rest - 8) : 0
        return result(fold(low ^ first ^ second, high ^ state))
    }

    @inline(__always)
    private static func load(_ bytes: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private static func tail(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
        count > 0 ? load(bytes) & (~0 >> (64 - 8 * UInt64(truncatingIfNeeded: count))) : 0
    }

    @inline(__always)
    private static func fold(_ one: UInt64, _ two: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: two)
        return product.high ^ product.low
    }

    /// No hash is 0, which marks a free place in tables.
    @inline(__always)
    private static func result(_ hash: UInt64) -> UInt64 {
        let mixed = fold(hash ^ second, ofDigits)
        return mixed == 0 ? 1 : mixed
    }
}
