/// Finds the end of a value by its brackets and quotes alone, across any number of pieces.
struct StructureScan {
    enum Outcome {
        /// The unit ends before this byte: a comma, a closing bracket, a line feed, or the byte after a value.
        case end(Int)
        /// The brackets do not match, or a string has an unescaped control character.
        case lost(Int)
        case needsMore
    }

    let unit: Damage.Unit
    /// The next byte to scan.
    var position: Int
    private var inString = false
    private var isEscaped = false
    private var hasBegun = false
    /// For each open bracket whether it is a brace; brackets beyond the limit are only counted.
    private var braces: [Bool]
    private var uncounted = 0
    private static let mostBraces = 4096

    /// Starts at `position`, inside the containers `inner` of the unit.
    init(_ unit: Damage.Unit, at position: Int, inside inner: [Bool] = []) {
        self.unit = unit
        self.position = position
        braces = inner
        hasBegun = !inner.isEmpty
    }

    mutating func run(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if case .rest = unit {
            position = bytes.count
            return .needsMore
        }
        while position < bytes.count {
            let byte = bytes[position]
            if case .line = unit {
                if byte == UInt8(ascii: "\n") { return .end(position) }
            } else if inString {
                if let outcome = stepString(byte) { return outcome }
            } else if let outcome = step(byte) {
                return outcome
            }
            position += 1
        }
        return .needsMore
    }

    private mutating func stepString(_ byte: UInt8) -> Outcome? {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            inString = false
            return endOfValue(at: position + 1)
        } else if byte < 0x20 {
            return .lost(position)
        }
        return nil
    }

    private mutating func step(_ byte: UInt8) -> Outcome? {
        switch byte {
        case UInt8(ascii: "\""):
            inString = true
            hasBegun = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            hasBegun = true
            if braces.count < StructureScan.mostBraces {
                braces.append(byte == UInt8(ascii: "{"))
            } else {
                uncounted += 1
            }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if uncounted > 0 {
                uncounted -= 1
            } else if let isBrace = braces.last {
                guard isBrace == (byte == UInt8(ascii: "}")) else { return .lost(position) }
                braces.removeLast()
                return endOfValue(at: position + 1)
            } else if case .value = unit {
                return .lost(position)
            } else {
                return .end(position)
            }
        case UInt8(ascii: ","):
            if braces.isEmpty, case .item = unit { return .end(position) }
        default:
            if byte.isJSONBlank {
                if hasBegun { return endOfValue(at: position) }
            } else {
                hasBegun = true
            }
        }
        return nil
    }

    /// The outcome at the end of a value: a top-level value ends here, but an item ends only at its comma.
    private func endOfValue(at end: Int) -> Outcome? {
        guard case .value = unit, braces.isEmpty, uncounted == 0 else { return nil }
        return .end(end)
    }
}
