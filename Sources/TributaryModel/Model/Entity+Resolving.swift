extension Entity {
    /// The module and the name of a class: `.Book` is in the current module, `Library.Book` in another.
    ///
    /// `NSManagedObject` is the base class and has no name of its own.
    static func resolve(className: String?) -> (module: String?, name: String?) {
        guard let className, !className.isEmpty, className != "NSManagedObject" else { return (nil, nil) }
        guard let dot = className.firstIndex(of: ".") else { return (nil, className) }
        let name = String(className[className.index(after: dot)...])
        let module = String(className[..<dot])
        return (module.isEmpty ? nil : module, name.isEmpty ? nil : name)
    }

    /// The indexes that an entity declares, and one for each indexed attribute that is not the first part of another.
    static func indexes(of declaration: EntityDescription, find: (String) -> Property?) -> [PropertyIndex] {
        let named = declaration.indexes.map { index in
            PropertyIndex(
                name: index.name,
                elements: index.elements.compactMap { element in
                    find(element.property).map { .init(property: $0, isAscending: element.isAscending) }
                },
                entityName: declaration.name)
        }
        let leading = Set(declaration.indexes.compactMap { $0.elements.first?.property })
        let unnamed = declaration.attributes.filter { $0.isIndexed && !leading.contains($0.name) }.compactMap {
            find($0.name)
        }.map { property in
            PropertyIndex(
                name: nil, elements: [.init(property: property, isAscending: true)], entityName: declaration.name)
        }
        return named + unnamed
    }
}
