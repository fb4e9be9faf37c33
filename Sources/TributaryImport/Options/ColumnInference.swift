/// How values become those of inferred columns.
public struct ColumnInference: Sendable, Hashable, Codable {
    /// What becomes of a decimal that a double does not hold to the last digit.
    public enum Numbers: String, Sendable, Hashable, Codable, CaseIterable {
        /// It becomes the nearest double, and is counted.
        case rounded
        /// It is stored as its text.
        case exact
    }

    /// A type that is stated for a column.
    public enum ColumnType: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whole numbers; the text of one is converted.
        case integer
        /// Numbers; the text of one is converted.
        case real
        /// Numbers, also from the text of one; other text as it is.
        case numeric
        /// Text; a number is stored as it is written in the source.
        case text
        /// Each value as it is; the column is declared without a type.
        case any
    }

    /// What becomes of decimals beyond the precision of a double.
    public var numbers = Numbers.rounded
    /// The types of columns whose type is not inferred; a value that cannot be converted makes its record a reject.
    public var types: [String: ColumnType] = [:]

    /// - Throws: `ImportError` if a key would change between text and numbers, so that no record would find its row.
    func check(key: [String], of entity: Entity) throws(ImportError) {
        for name in key {
            guard let type = types[name], type != .any,
                let kinds = entity.attribute(named: name)?.declaration.valueKinds,
                !kinds.isEmpty, kinds.contains(.text) != (type == .text)
            else { continue }
            throw ImportError(
                .route,
                "the key \(name) of \(entity.name) has \(kinds.contains(.text) ? "texts" : "numbers"), and "
                    + "with the type \(type.rawValue) no record would find its row",
                hint: "leave out the type of \(name)")
        }
    }

    /// Which values of a record become columns; nil for its members.
    public var shaping: ColumnShaping?

    /// The defaults.
    public init() {}
}
