import TributaryGraph

/// The expected state of an object: values and references by name, with other objects as codes.
struct OracleObject: Equatable {
    let entity: String
    var values: [String: FilterValue] = [:]
    var ones: [String: Int] = [:]
    var manys: [String: [Int]] = [:]

    static func attributes(_ entity: String) -> [String: FilterValue] {
        switch entity {
        case "Keeper": ["number": .null, "name": .null]
        case "Label": ["name": .null]
        default:
            [
                "number": .null, "small": .null, "medium": .null, "real": .null, "single": .null, "amount": .null,
                "flag": .boolean(false), "name": .null, "date": .null, "blob": .null, "uuid": .null, "link": .null,
            ].merging(entity == "FinePiece" ? ["finish": .null] : [:]) { one, _ in one }
        }
    }

    init(_ entity: String) {
        self.entity = entity
        values = Self.attributes(entity)
    }
}
