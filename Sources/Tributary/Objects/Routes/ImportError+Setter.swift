import TributaryGraph
import TributaryImport
import TributaryJSON

extension ImportError {
    /// The error for a setter, or a hook of its object, that used more than `scope` allows.
    static func setterNeedsContext(_ entity: Entity, _ record: Record?, _ scope: StoreAccess.Scope?) -> ImportError {
        let position = record.map { " at record \($0.number) (\($0.position))" } ?? ""
        if scope == .context {
            return ImportError(
                .setter, "the setter for \(entity.name) has saved, or has written through another context\(position)",
                hint: "change objects through the context it is given; the import saves them")
        }
        return ImportError(
            .setter,
            "the setter for \(entity.name) has used more than its record and the attributes of its object\(position)",
            remedy: .takeContext)
    }
}
