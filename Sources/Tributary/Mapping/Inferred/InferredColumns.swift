import TributaryGraph

/// The columns of a table that grow with the data, in the order in which their keys were met.
struct InferredColumns: Sendable {
    /// The column that takes what has none of its own, as one object of JSON.
    static let rest = "_rest"
    /// The column of a record that is no object.
    static let value = "value"
    /// SQLite's limit is 2000; a few are ours, and one is for the rest.
    static let most = 1900
    /// The longest key that becomes the name of a column, in bytes.
    static let longest = 200

    /// The names, in their order.
    private(set) var names: [String] = []
    private var places: [String: Int] = [:]
    private var foldedNames: Set<String> = []

    /// Begins with columns that are there.
    init(_ names: [String]) {
        for name in names { add(name) }
    }

    private mutating func add(_ name: String) {
        places[name] = names.count
        foldedNames.insert(name.lowercasedForColumns)
        names.append(name)
    }

    /// The place of a key's column, which is added if the key is new; nil if it cannot have one.
    mutating func place(of key: String) -> Int? {
        if key == InferredColumns.rest { return nil }
        // Strings that look the same are equal; only one of them can be the name of an attribute.
        if let place = places[key] { return names[place].hasBytes(of: key) ? place : nil }
        let most = InferredColumns.most - (places[InferredColumns.rest] == nil ? 1 : 0)
        guard InferredColumns.isPossible(key), names.count < most,
            // To SQLite, names that differ in case only are the same.
            !foldedNames.contains(key.lowercasedForColumns)
        else { return nil }
        add(key)
        return names.count - 1
    }

    /// The place of the column for the rest.
    mutating func restPlace() -> Int {
        if let place = places[InferredColumns.rest] { return place }
        add(InferredColumns.rest)
        return names.count - 1
    }

    /// Whether a column may have the name.
    private static func isPossible(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= longest && !key.utf8.contains(0) && !ReservedNames.isColumn(key)
    }
}

extension String {
    /// Whether it is the same text, byte by byte.
    func hasBytes(of other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }

    /// The text with the letters A to Z made small, as SQLite compares names.
    fileprivate var lowercasedForColumns: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
