/// What the sources contain besides their records.
public struct OutsideReport: Sendable, Hashable, Codable {
    /// The number of paths that are reported separately.
    static let maximumCount = 100
    /// The length of the longest path that is reported, in bytes.
    static let maximumPathBytes = 300

    /// The values by path and type, in the order in which they first occurred.
    public private(set) var values: [OutsideValues] = []
    /// The number of values at any further paths.
    public private(set) var others = 0
    /// Whether values at any further paths hold records.
    public private(set) var othersHoldRecords = false

    /// No values.
    public init() {}

    /// Whether the sources contain nothing but records.
    public var isEmpty: Bool { values.isEmpty && others == 0 }

    /// Whether there are records among the values, or in arrays inside of them.
    public var holdsRecords: Bool {
        othersHoldRecords || values.contains { $0.holdsRecords || $0.innerObjects > 0 }
    }

    /// Whether all counts are possible, so that a report which another program has changed cannot crash this one.
    package var isPlausible: Bool {
        let numbers = values.flatMap { [$0.count, $0.contents, $0.objects, $0.innerObjects] } + [others]
        return values.count <= OutsideReport.maximumCount && numbers.allSatisfy { (0...1 << 53).contains($0) }
    }

    /// The report with the values that follow.
    package func adding(_ other: OutsideReport) -> OutsideReport {
        guard !other.isEmpty else { return self }
        var sum = self
        for values in other.values { sum.add(values.path, values) }
        sum.others += other.others
        sum.othersHoldRecords = sum.othersHoldRecords || other.othersHoldRecords
        return sum
    }

    /// Adds values of one path and type; a path of nil is one beyond the limits.
    mutating func add(_ path: String?, _ added: OutsideValues) {
        var index = values.firstIndex { $0.kind == added.kind && $0.path == path }
        if index == nil, let path, values.count < OutsideReport.maximumCount {
            values.append(OutsideValues(path: path, kind: added.kind))
            index = values.count - 1
        }
        guard let index else {
            others += added.count
            othersHoldRecords = othersHoldRecords || added.holdsRecords || added.innerObjects > 0
            return
        }
        values[index].add(added)
    }
}
