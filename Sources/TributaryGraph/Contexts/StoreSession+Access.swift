extension StoreSession {
    /// The limit of the running setter or hook, if this thread has a session for one of these stores; nil if none.
    static func access(to stores: ObjectStores) -> StoreAccess? { limit(of: stores.stores) as? StoreAccess }
}
