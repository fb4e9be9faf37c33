/// What the sources contain besides their records.
public struct OutsideReport: Sendable, Hashable, Codable {
    /// The number of paths that are told apart.
    static let maximumCount = 100
    /// The length of the longest path that is told, in bytes.
    static let maximumPathBytes = 300

    /// The values by path and type, in the order in which they first occurred.
    public private(set) var values: [OutsideValues] = []
    /// The number of values at any further paths.
    public private(set) var others = 0

    /// No values.
    public init() {}

    /// Whether the sources contain nothing but records.
    public var isEmpty: Bool { values.isEmpty && others == 0 }

    /// Whether all counts are possible, so that a report which another program has changed cannot crash this one.
    package var isPlausible: Bool {
        let numbers = values.flatMap { [$0.count, $0.contents, $0.objects] } + [others]
        return values.count <= OutsideReport.maximumCount && numbers.allSatisfy { (0...1 << 53).contains($0) }
    }

    /// Adds a value.
    mutating func add(_ path: String, _ kind: OutsideValues.Kind, contents: Int, objects: Int) {
        var value = OutsideValues(path: path, kind: kind)
        (value.count, value.contents, value.objects) = (1, contents, objects)
        add(value)
    }

    /// Adds all values of another report.
    mutating func add(_ report: OutsideReport) {
        for value in report.values { add(value) }
        others += report.others
    }

    private mutating func add(_ value: OutsideValues) {
        if let index = values.firstIndex(where: { $0.kind == value.kind && $0.path == value.path }) {
            values[index].count += value.count
            values[index].contents += value.contents
            values[index].objects += value.objects
        } else if values.count < OutsideReport.maximumCount, value.path.utf8.count <= OutsideReport.maximumPathBytes {
            values.append(value)
        } else {
            others += value.count
        }
    }
}
