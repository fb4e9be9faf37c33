extension RowRequest {
    /// The request for the rows of objects.
    package init<Object>(_ request: FetchRequest<Object>) {
        self.init(entity: request.entityName, where: request.filter, sort: request.sort)
        limit = request.limit
        offset = request.offset
        includesSubentities = request.includesSubentities
        variables = request.variables
    }

    /// The request to a parent context, with or without its unsaved changes.
    func fetchRequest(pending: Bool) -> FetchRequest<ManagedObject> {
        var request = FetchRequest<ManagedObject>(entity: entityName, where: filter, sort: sort)
        request.limit = limit
        request.offset = offset
        request.includesSubentities = includesSubentities
        request.includesPendingChanges = pending
        request.variables = variables
        return request
    }
}
