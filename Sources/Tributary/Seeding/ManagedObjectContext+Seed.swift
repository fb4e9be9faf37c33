public import Foundation
public import TributaryGraph

extension ManagedObjectContext {
    /// Makes the objects of seed files, and does not save them.
    ///
    ///     let companies = try context.seed(Company.self, from: URL(filePath: "Main.seed.json"))
    ///
    /// A seed file has one member. `{"Company": {…}}` is an object, `{"Company": [{…}, …]}` several, and
    /// `{"seedlings": [{"seedFile": "A.seed.json"}, {"seedUrl": "https://…"}]}` includes other files. The members of an
    /// object are properties by their exact names. `"<uniqueID>"` is a new number of `ContextManager.uniqueIDs`. A
    /// relationship has seedlings, `{"Employee": {…}}`, `{"Employee": [{…}, …]}`, or `"<ref:boss>"` for the earlier
    /// object with `"<id>": "boss"`, or an array of these.
    ///
    /// All objects are in memory; `ContextManager.seed(from:loader:again:)` plants seeds of any size.
    ///
    /// - Parameters:
    ///   - type: The class of the objects that are not inside of others.
    ///   - urls: The files, as `file`, `http` or `https`.
    ///   - loader: Loads remote files; without it they are refused.
    /// - Returns: The objects that are not inside of others, in the order of the files.
    /// - Throws: `SeedError`, `ContextError` for an object of another class, or an error of the database of unique ids;
    ///   then the context has none of the objects.
    @discardableResult
    public func seed<Object: ManagedObject>(
        _ type: Object.Type = ManagedObject.self, from urls: URL..., loader: (any SeedLoader)? = nil
    ) throws -> [Object] {
        try seed(type, from: urls, loader: loader)
    }

    /// Makes the objects of seed files, and does not save them.
    ///
    /// - Throws: The errors of `seed(_:from:loader:)`.
    @discardableResult
    public func seed<Object: ManagedObject>(
        _ type: Object.Type = ManagedObject.self, from urls: [URL], loader: (any SeedLoader)? = nil
    ) throws -> [Object] {
        let ground = SeedObjects(self)
        let planter = SeedPlanter(ground, loader)
        var objects: [Object] = []
        do {
            for url in urls {
                try planter.plant(try SeedPlace(url)) { object in
                    guard let typed = object as? Object else {
                        throw ContextError.wrongClass(object.entity, Swift.type(of: object), not: type)
                    }
                    objects.append(typed)
                }
            }
        } catch {
            ground.discard()
            throw error
        }
        return objects
    }
}
