import TributaryGraph

/// A relationship of the random tests, with its inverse and delete rule.
struct OracleLink: Sendable {
    let name: String
    let destination: String
    var isToMany = false
    var isOrdered = false
    var inverse: String?
    var rule = DeleteRule.nullify

    private static let pieces: [OracleLink] = [
        OracleLink(name: "owner", destination: "Keeper", inverse: "pieces"),
        OracleLink(name: "holder", destination: "Keeper", inverse: "queue"),
        OracleLink(name: "warden", destination: "Keeper", inverse: "ward"),
        OracleLink(name: "origin", destination: "Keeper", inverse: "offspring"),
        OracleLink(name: "twin", destination: "Keeper", inverse: "twin"),
        OracleLink(name: "labels", destination: "Label", isToMany: true, inverse: "pieces"),
        OracleLink(name: "ranks", destination: "Label", isToMany: true, isOrdered: true, inverse: "ranked"),
        OracleLink(name: "friends", destination: "Piece", isToMany: true, inverse: "friends"),
        OracleLink(name: "pointer", destination: "Label"),
        OracleLink(name: "pointers", destination: "Label", isToMany: true),
    ]
    private static let keepers: [OracleLink] = [
        OracleLink(name: "pieces", destination: "Piece", isToMany: true, inverse: "owner", rule: .cascade),
        OracleLink(name: "queue", destination: "Piece", isToMany: true, isOrdered: true, inverse: "holder"),
        OracleLink(name: "ward", destination: "Piece", isToMany: true, inverse: "warden", rule: .deny),
        OracleLink(name: "offspring", destination: "Piece", isToMany: true, inverse: "origin", rule: .noAction),
        OracleLink(name: "twin", destination: "Piece", inverse: "twin"),
        OracleLink(name: "below", destination: "Keeper", isToMany: true, inverse: "above", rule: .cascade),
        OracleLink(name: "above", destination: "Keeper", inverse: "below"),
    ]
    private static let labels: [OracleLink] = [
        OracleLink(name: "pieces", destination: "Piece", isToMany: true, inverse: "labels"),
        OracleLink(name: "ranked", destination: "Piece", isToMany: true, isOrdered: true, inverse: "ranks"),
    ]

    static func all(_ entity: String) -> [OracleLink] {
        switch entity {
        case "Keeper": keepers
        case "Label": labels
        default: pieces
        }
    }

    static func named(_ name: String, of entity: String) -> OracleLink {
        guard let link = all(entity).first(where: { $0.name == name }) else {
            preconditionFailure("\(entity) has no \(name)")
        }
        return link
    }

    /// Whether the relationship can contain objects of `entity`.
    func leads(to entity: String) -> Bool { entity == destination || entity == "FinePiece" && destination == "Piece" }
}
