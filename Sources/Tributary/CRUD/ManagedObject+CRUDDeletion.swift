public import TributaryGraph

/// Deleting objects with their children.
extension ManagedObject {
    /// Deletes the object and the objects of its `crudChildren`, at any depth, and logs the reason.
    ///
    /// The delete rules of the model apply as well. An object that was deleted already is left alone.
    public func delete(reason: String) {
        var next: [ManagedObject] = [self]
        while let object = next.popLast() {
            guard !object.isDeleted, let context = object.context else { continue }
            // The deletion may unlink the children.
            let children = object.crudChildren
            context.logCRUD(of: object, "\(CRUDState.deleted): \(reason)")
            object.delete()
            next += children
        }
    }

    /// The objects of the relationships that its class hands on to.
    private var crudChildren: [ManagedObject] {
        guard let object = self as? any CRUDObject else { return [] }
        let relationships = type(of: object).crudChildren.compactMap { entity.relationship(named: $0.relationship) }
        return relationships.flatMap { destinations(of: $0) }
    }
}

extension CRUDObject {
    /// Deletes the object and its children if it has an `invalidReason`; whether it had one.
    @discardableResult
    public func deleteIfInvalid() -> Bool {
        guard !isDeleted, context != nil, let reason = invalidReason else { return false }
        delete(reason: reason)
        return true
    }
}
