/// What may be done with a store while a setter or a hook of an import runs.
package protocol StoreLimit: AnyObject {
    /// Called before a setter or a hook reads the store; throws if it may not.
    func willRead() throws

    /// Called before a setter or a hook writes to the store; throws if it may not.
    func willWrite() throws
}
