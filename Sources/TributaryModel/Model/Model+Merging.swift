extension Model {
    /// A model with the entities of several models.
    ///
    /// Entities and fetch templates with the same name in two models must be equal. Configurations with the same name
    /// are joined. The merged model keeps the classes that the models were made from.
    ///
    /// - Throws: `ModelError` if two models contradict each other, or the merged model is not valid.
    public static func merging(_ models: [Model]) throws -> Model {
        var merged = ModelDescription()
        var faults: [String] = []
        func add<Part: Equatable>(_ parts: [Part], to known: inout [Part], _ kind: String, _ name: (Part) -> String) {
            for part in parts {
                guard let other = known.first(where: { name($0) == name(part) }) else {
                    known.append(part)
                    continue
                }
                if other != part {
                    faults.append(
                        "\(kind) \"\(name(part))\" differs between two models; make both the same or rename one")
                }
            }
        }
        for declaration in models.map(\.declaration) {
            add(declaration.entities, to: &merged.entities, "entity", \.name)
            add(declaration.fetchTemplates, to: &merged.fetchTemplates, "fetch template", \.name)
            for configuration in declaration.configurations {
                if let index = merged.configurations.firstIndex(where: { $0.name == configuration.name }) {
                    let known = Set(merged.configurations[index].entities)
                    merged.configurations[index].entities += configuration.entities.filter { !known.contains($0) }
                } else {
                    merged.configurations.append(configuration)
                }
            }
            let identifiers = Set(merged.versionIdentifiers)
            merged.versionIdentifiers += declaration.versionIdentifiers.filter { !identifiers.contains($0) }
            merged.userInfo.merge(declaration.userInfo) { first, _ in first }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
        var classes: [AnyObject.Type] = []
        for type in models.flatMap(\.classes) where !classes.contains(where: { $0 == type }) { classes.append(type) }
        return try Model(merged, classes: classes)
    }
}
