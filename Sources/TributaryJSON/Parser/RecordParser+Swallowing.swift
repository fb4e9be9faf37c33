/// One byte that has become an opening bracket makes a single record of all that follow it. Nothing is wrong with
/// the text until it ends, or until that record is too long; then the bracket is cut out, and the records are read.
extension RecordParser {
    /// Whether the latest record is an array that begins with a record, where records have been objects so far, and
    /// nothing has followed it yet.
    var mayHaveSwallowed: Bool {
        guard core.pointee.entryCount > 0, case .feeding = mode, core.pointee.recordDepth < 0 else { return false }
        let entry = core.pointee.entries[core.pointee.entryCount - 1]
        guard holdsRecord(at: Int(entry.raw)) else { return false }
        let rest = bytes[Int(entry.raw + entry.rawLength)...]
        // Blanks without end are not waited for.
        return rest.count < 64 << 10 && rest.allSatisfy(\.isJSONBlank)
    }

    /// Whether an array begins at `start` with an object, unlike the records before it.
    private func holdsRecord(at start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "["),
            bytes[(start + 1)...].first(where: { !$0.isJSONBlank }) == UInt8(ascii: "{")
        else { return false }
        var known = samples
        addSamples(to: &known, before: start)
        return !known.isEmpty && !known.canOpen(UInt8(ascii: "["))
    }

    /// Where to go on if the fault at hand may come from such a bracket.
    func swallowingBracket(_ fault: Tokenizer.Fault) -> Int? {
        if fault.code == .limitRecord, core.pointee.recordDepth >= 0 {
            let start = Int(core.pointee.entry.raw)
            return holdsRecord(at: start) ? start : nil
        }
        guard fault.code == .syntaxTruncated, mayHaveSwallowed else { return nil }
        return Int(core.pointee.entries[core.pointee.entryCount - 1].raw)
    }

    /// Whether the fault stands right behind what was taken for a record and is unlike those before it.
    ///
    /// A key, say, that has lost its object.
    func spoilsLastRecord(_ fault: Tokenizer.Fault) -> Bool {
        let isBehindValue = core.pointee.expectation == .commaOrEnd || shape.framing != .text && core.pointee.depth == 0
        guard core.pointee.recordDepth < 0, core.pointee.entryCount > 0, fault.code == .syntaxUnexpected,
            shape.framing != .lines, isBehindValue
        else { return false }
        let entry = core.pointee.entries[core.pointee.entryCount - 1]
        let end = Int(entry.raw + entry.rawLength)
        guard end <= fault.offset, bytes[end..<fault.offset].allSatisfy(\.isJSONBlank) else { return false }
        return isLastRecordUnlikeOthers
    }

    /// Whether the latest record begins as none of those before it.
    var isLastRecordUnlikeOthers: Bool {
        guard core.pointee.entryCount > 0 else { return false }
        let entry = core.pointee.entries[core.pointee.entryCount - 1]
        var known = samples
        addSamples(to: &known, before: Int(entry.raw))
        return !known.isEmpty && !known.canOpen(bytes[Int(entry.raw)])
    }

    /// Takes back the record that has swallowed others.
    func takeBackLastRecord() {
        core.pointee.entryCount -= 1
        core.pointee.number -= 1
        core.pointee.tapeCount = Int(core.pointee.entries[core.pointee.entryCount].tape)
        if core.pointee.depth > 0, !core.pointee.frames[core.pointee.depth - 1].isObject {
            core.pointee.frames[core.pointee.depth - 1].index -= 1
        }
    }
}
