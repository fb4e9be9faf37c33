/// Handles a byte that damage has turned into an opening bracket, so that all further records are parsed as one array.
///
/// The text is valid until it ends, or until that array exceeds the record limit. Then the bracket is rejected, and the
/// records after it are parsed.
extension RecordParser {
    /// Whether the latest record may be such an array: it begins with an object, records were objects so far, and
    /// nothing follows it yet.
    var mayBeStrayArray: Bool {
        guard core.pointee.entryCount > 0, case .feeding = mode, core.pointee.recordDepth < 0 else { return false }
        let entry = core.pointee.entries[core.pointee.entryCount - 1]
        guard holdsRecord(at: Int(entry.raw)) else { return false }
        let rest = bytes[Int(entry.raw + entry.rawLength)...]
        // The wait ends after many blanks.
        return rest.count < 64 << 10 && rest.allSatisfy(\.isJSONBlank)
    }

    /// Whether an array begins at `start` with an object, unlike the records before it.
    private func holdsRecord(at start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "["),
            bytes[(start + 1)...].first(where: { !$0.isJSONBlank }) == UInt8(ascii: "{")
        else { return false }
        let known = knownSamples(before: start)
        return !known.isEmpty && !known.canOpen(UInt8(ascii: "["))
    }

    /// The offset of such a bracket, if it may have caused the fault.
    func strayBracket(_ fault: Tokenizer.Fault) -> Int? {
        if fault.code == .limitRecord, core.pointee.recordDepth >= 0 {
            let start = Int(core.pointee.entry.raw)
            return holdsRecord(at: start) ? start : nil
        }
        guard fault.code == .syntaxTruncated, mayBeStrayArray else { return nil }
        return Int(core.pointee.entries[core.pointee.entryCount - 1].raw)
    }

    /// Whether the fault is right after the latest record, which is unlike the records before it.
    ///
    /// That record may be the key of an object whose bracket is missing, for example.
    func invalidatesLastRecord(_ fault: Tokenizer.Fault) -> Bool {
        let isAfterValue = core.pointee.expectation == .commaOrEnd || shape.framing != .text && core.pointee.depth == 0
        guard core.pointee.recordDepth < 0, core.pointee.entryCount > 0, fault.code == .syntaxUnexpected,
            shape.framing != .lines, isAfterValue
        else { return false }
        let entry = core.pointee.entries[core.pointee.entryCount - 1]
        let end = Int(entry.raw + entry.rawLength)
        guard end <= fault.offset, bytes[end..<fault.offset].allSatisfy(\.isJSONBlank) else { return false }
        return isLastRecordUnlikeOthers
    }

    /// Whether the first byte of the latest record differs in kind from all records before it.
    var isLastRecordUnlikeOthers: Bool {
        guard core.pointee.entryCount > 0 else { return false }
        let entry = core.pointee.entries[core.pointee.entryCount - 1]
        let known = knownSamples(before: Int(entry.raw))
        return !known.isEmpty && !known.canOpen(bytes[Int(entry.raw)])
    }

    /// Removes the latest record, which was not a real one.
    func removeLastRecord() {
        core.pointee.entryCount -= 1
        core.pointee.number -= 1
        core.pointee.tapeCount = Int(core.pointee.entries[core.pointee.entryCount].tape)
        if core.pointee.depth > 0, !core.pointee.frames[core.pointee.depth - 1].isObject {
            core.pointee.frames[core.pointee.depth - 1].index -= 1
        }
    }
}
