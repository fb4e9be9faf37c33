import TributaryJSON

/// Counts, over the records of a chunk, what becomes of members that a mapping does not name, or that do not fit.
final class MappingNotes {
    /// A name among the members without a property.
    private struct Name {
        let bytes: [UInt8]
        var count: Int
    }

    private var names: [Name] = []
    /// Finds a name by its length and its first and last byte; -1 if there is none.
    private var places = [Int16](repeating: -1, count: 256)
    private var otherUnknown = 0
    private var ambiguous: [Int: Int] = [:]
    private var unfit: [Int: Int] = [:]

    /// Adds what a projection found besides values, members without a property only if they are not stored.
    @inline(__always)
    func add(_ values: borrowing ProjectedValues, countsOthers: Bool = true) {
        for path in values.conflicts { ambiguous[path, default: 0] += 1 }
        guard countsOthers, values.otherCount > 0 else { return }
        addUnknown(values)
    }

    private func addUnknown(_ values: borrowing ProjectedValues) {
        var listed = 0
        values.forEachOther { name in
            listed += 1
            switch name {
            case .text(let text): add(text)
            case .escapedText(let text):
                let bytes = [UInt8](unsafeUninitializedCapacity: text.count) { memory, count in
                    count = memory.baseAddress.map { RawValue.decode(text, into: UnsafeMutableRawPointer($0)) } ?? 0
                }
                bytes.withUnsafeBufferPointer { add($0) }
            default: break
            }
        }
        otherUnknown += values.otherCount - listed
    }

    private func add(_ name: UnsafeBufferPointer<UInt8>) {
        let hash = (name.count &* 31 &+ Int(name.first ?? 0) &* 7 &+ Int(name.last ?? 0)) & 255
        let known = Int(places[hash])
        if known >= 0, names[known].bytes.elementsEqual(name) {
            names[known].count += 1
        } else if let index = names.firstIndex(where: { $0.bytes.elementsEqual(name) }) {
            names[index].count += 1
            places[hash] = Int16(index)
        } else if names.count < MappingReport.maximumCount {
            places[hash] = Int16(names.count)
            names.append(Name(bytes: Array(name), count: 1))
        } else {
            otherUnknown += 1
        }
    }

    /// Adds a value of an attribute that was not taken.
    func addUnfit(_ attribute: Int) { unfit[attribute, default: 0] += 1 }

    /// The report; `names` are those of the attributes, and `paths` for each path the index of its property.
    func report(_ names: [String], propertyOfPath paths: [Int]) -> MappingReport {
        var report = MappingReport()
        for name in self.names { report.unknown[String(decoding: name.bytes, as: UTF8.self)] = name.count }
        report.otherUnknown = otherUnknown
        for (path, count) in ambiguous { report.ambiguous[names[paths[path]], default: 0] += count }
        for (attribute, count) in unfit { report.unfit[names[attribute], default: 0] += count }
        return report
    }
}
