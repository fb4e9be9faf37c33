import TributaryJSON

/// The numbers at a path.
public struct NumberProfile: Sendable, Hashable {
    /// The lowest number, as it is written.
    public private(set) var minimum = ""
    /// The highest number, as it is written.
    public private(set) var maximum = ""
    private var low = Double.infinity
    private var high = -Double.infinity
    /// The numbers that are 0.
    public private(set) var zeros = 0
    /// The positive numbers.
    public private(set) var positive = Histogram(shift: Histogram.shiftOfDoubles)
    /// The negative numbers, by their magnitude.
    public private(set) var negative = Histogram(shift: Histogram.shiftOfDoubles)

    /// No numbers.
    init() {}

    /// Numbers of which these figures are known.
    init(minimum: String, maximum: String, zeros: Int, positive: Histogram, negative: Histogram) {
        (self.minimum, self.maximum, self.zeros) = (minimum, maximum, zeros)
        (self.positive, self.negative) = (positive, negative)
        (low, high) = (Double(minimum) ?? .infinity, Double(maximum) ?? -.infinity)
    }

    /// The number of numbers.
    public var count: Int { zeros + positive.total + negative.total }

    @inline(__always)
    mutating func add(_ number: NumberScan, _ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
        let value = number.double
        if value > 0 {
            positive.add(Histogram.key(value), limit: limit)
        } else if value < 0 {
            negative.add(Histogram.key(-value), limit: limit)
        } else {
            zeros += 1
        }
        if value <= low { addLow(value, bytes) }
        if value >= high { addHigh(value, bytes) }
    }

    private mutating func addLow(_ value: Double, _ bytes: UnsafeBufferPointer<UInt8>) {
        // Different numbers may have the same nearest double.
        guard value < low || minimum.isEmpty || NumberOrder.isLess(bytes, minimum) else { return }
        (low, minimum) = (value, String(decoding: bytes, as: UTF8.self))
    }

    private mutating func addHigh(_ value: Double, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard value > high || maximum.isEmpty || NumberOrder.isLess(maximum, bytes) else { return }
        (high, maximum) = (value, String(decoding: bytes, as: UTF8.self))
    }

    mutating func merge(_ other: NumberProfile, limit: Int) {
        zeros += other.zeros
        positive.merge(other.positive, limit: limit)
        negative.merge(other.negative, limit: limit)
        if other.low < low || other.low == low && NumberOrder.isLess(other.minimum, minimum) {
            (low, minimum) = (other.low, other.minimum)
        }
        if other.high > high || other.high == high && NumberOrder.isLess(maximum, other.maximum) {
            (high, maximum) = (other.high, other.maximum)
        }
    }

    mutating func cut(to limit: Int) {
        positive.cut(to: limit)
        negative.cut(to: limit)
    }
}
