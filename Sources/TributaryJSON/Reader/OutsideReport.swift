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

    /// Adds values of one path and type; a path of nil is one beyond the limits.
    mutating func add(_ path: String?, _ kind: OutsideValues.Kind, count: Int, contents: Int, objects: Int) {
        var index = values.firstIndex { $0.kind == kind && $0.path == path }
        if index == nil, let path, values.count < OutsideReport.maximumCount {
            values.append(OutsideValues(path: path, kind: kind))
            index = values.count - 1
        }
        guard let index else {
            others += count
            return
        }
        values[index].count += count
        values[index].contents += contents
        values[index].objects += objects
    }
}
