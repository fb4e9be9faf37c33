public import TributaryGraph

/// The log of created, updated, kept and deleted objects.
extension ManagedObjectContext {
    /// Logs all objects of the verbose classes in their default order, if the manager is verbose.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func dump() throws {
        try forEachVerboseEntity { entity, type in
            let request = FetchRequest<ManagedObject>(entity: entity.name, sort: type.defaultSort)
            for object in try fetch(request) where object.entity == entity { crudSettings.log(Self.text(of: object)) }
        }
    }

    /// Logs the number of objects of each verbose class, if the manager is verbose.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func dumpCount() throws {
        try forEachVerboseEntity { entity, _ in
            var request = FetchRequest<ManagedObject>(entity: entity.name)
            request.includesSubentities = false
            crudSettings.log("\(entity.name): \(try count(request))")
        }
    }

    private func forEachVerboseEntity(_ body: (Entity, any CRUDObject.Type) throws -> Void) throws {
        guard crudSettings.verbose else { return }
        for entity in model.entities where !entity.isAbstract && isOpen(entity) {
            if let type = objectClass(of: entity) as? any CRUDObject.Type, type.isVerbose { try body(entity, type) }
        }
    }

    /// Logs what became of an object of a verbose class.
    func logCRUD(of object: ManagedObject, _ event: @autoclosure () -> String) {
        let settings = crudSettings
        guard settings.verbose, let described = object as? any CRUDObject, type(of: described).isVerbose else { return }
        settings.log("\(Self.text(of: object)) \(event())")
    }

    /// The entity and the description of an object, or its ID if it has none.
    private static func text(of object: ManagedObject) -> String {
        (object as? any CustomStringConvertible).map { "\(object.entity.name) \($0)" } ?? "\(object.objectID)"
    }
}
