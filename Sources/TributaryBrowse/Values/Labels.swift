import TributaryModel
import TributarySQLite
import TributaryStore

/// The text that stands for a row: its name or title, else its key.
enum Labels {
    private static let names = [
        "name", "title", "label", "displayname", "display_name", "fullname", "full_name", "username", "login",
        "subject",
        "headline", "caption", "email", "slug", "code",
    ]

    /// The attribute that names a row for readers; nil if none does.
    static func name(of entity: Entity) -> String? {
        let attributes = entity.attributes.filter { attribute in
            guard !attribute.isTransient else { return false }
            return attribute.type == .string || attribute.type == .undefined
        }
        for name in names {
            if let found = attributes.first(where: { $0.name.lowercased() == name }) { return found.name }
        }
        return attributes.first { attribute in
            let name = attribute.name.lowercased()
            return name.hasSuffix("name") || name.hasSuffix("title")
        }?.name
    }

    /// The path from a row to the text that stands for the row at the end of a path: that of its label or its key.
    static func path(_ path: [String], to entity: Entity) -> [String]? {
        (name(of: entity) ?? entity.uniquenessConstraints.first { $0.properties.count == 1 }?.properties.first?.name)
            .map { path + [$0] }
    }

    /// The text of a key.
    static func text(of key: SQLValue) -> String {
        switch key {
        case .null: ""
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text.count > 60 ? text.prefix(60) + "…" : text
        case .blob(let bytes): SizeText.bytes(bytes.count)
        }
    }
}
