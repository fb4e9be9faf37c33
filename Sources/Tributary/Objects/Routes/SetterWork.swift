import TributaryConcurrency
import TributaryGraph
import TributaryImport
import TributaryJSON

/// Calls the setter of a route, on the thread that writes or ahead of it on several threads.
struct SetterWork: ObjectWork {
    let objects: RouteObjects
    let setter: ImportSetter
    let settings: ObjectSettings
    /// The context of the thread that writes, which the routes of an import share.
    let context: PrivateContext
    let makeContext: @Sendable () -> PrivateContext
    /// Contexts of threads ahead of the one that writes.
    let idle = Guarded<[PrivateContext]>([])

    func bufferSaves() { context.performAndWait { $0.bufferSaves() } }

    func takeSaves() -> (@Sendable () -> Void)? {
        guard let saved = context.performAndWait({ $0.takeBufferedSaves() }) else { return nil }
        return { saved.announce() }
    }

    /// A batch of records of the route.
    func makeBatch(_ access: StoreAccess) -> RecordBatch {
        var batch = RecordBatch(objects.key)
        batch.mode = settings.mode
        batch.access = access
        batch.keepsSeenKeys = settings.keepsSeenKeys
        batch.rejectedBytes = settings.rejectedBytes
        return batch
    }

    /// The error for a hook that used more than its scope allows while the objects of `records` were saved.
    func violation(
        _ access: StoreAccess, _ records: some Collection<Record>, _ result: BatchResult<ManagedObject>
    ) -> ImportError {
        let record = zip(records, result.objects).first { $0.1 != nil && $0.1 === access.object }?.0
        return .setterNeedsContext(objects.key.entity, record ?? records.first, access.scope)
    }
}
