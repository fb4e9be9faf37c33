/// Values of a source that are not among its records, nor inside them, at one path.
///
///     {"users": […], "orders": [{…}, {…}], "version": 3}      read at .users[], leaves .orders and .version
public struct OutsideValues: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The type of the values.
    public enum Kind: String, Sendable, Codable {
        /// Arrays.
        case array
        /// Objects.
        case object
        /// Text, numbers, true, false and null.
        case scalar
    }

    /// The path of the values, as in `.orders` or `[].details`.
    public let path: String
    /// The type of the values.
    public let kind: Kind
    /// The number of values at the path.
    public internal(set) var count = 0
    /// The number of elements or members of all of them.
    public internal(set) var contents = 0
    /// The number of objects among the elements; among members, of those that begin with the same key as the first.
    public internal(set) var objects = 0

    /// The number of objects in arrays that are further inside.
    public internal(set) var innerObjects = 0

    mutating func add(_ other: OutsideValues) {
        count += other.count
        contents += other.contents
        objects += other.objects
        innerObjects += other.innerObjects
    }

    /// Whether most of the contents are objects, as those of a list of records.
    public var holdsRecords: Bool {
        switch kind {
        case .scalar: false
        case .array: objects * 2 > contents
        case .object: objects == contents && objects > count
        }
    }

    /// The path at which the contents would be records.
    public var recordPath: String {
        guard kind != .scalar else { return path }
        return path + (kind == .array ? "[]" : "{}")
    }

    /// The path with the number of its contents, as in `.orders (10 records)`.
    public var description: String {
        func counted(_ count: Int, _ one: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(one)s" }
        switch kind {
        case .scalar: return count == 1 ? path : "\(path) (\(counted(count, "value")))"
        case .array: return "\(path) (\(counted(contents, holdsRecords ? "record" : "element")))"
        case .object:
            let inner = innerObjects > 0 && !holdsRecords ? " with \(counted(innerObjects, "record")) in arrays" : ""
            return "\(path) (\(counted(contents, "member"))\(inner))"
        }
    }
}
