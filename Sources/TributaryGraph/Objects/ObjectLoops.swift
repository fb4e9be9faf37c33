/// Loops over objects without reference counting, which is safe because the array retains the objects during the loop.
extension RandomAccessCollection where Element == ManagedObject {
    /// Calls `body` for each object until it returns false.
    @inline(__always)
    func forEachUnretained(_ body: (ManagedObject) throws -> Bool) rethrows {
        let count = self.count
        let whole: Void? = try withContiguousStorageIfAvailable { objects in
            guard let start = objects.baseAddress else { return }
            // `Unmanaged` has the memory layout of a reference.
            let pointers = UnsafeRawPointer(start).assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
            for index in 0..<count {
                guard try pointers[index]._withUnsafeGuaranteedRef(body) else { return }
            }
        }
        demand(whole != nil, "internal error: a collection of objects has no contiguous storage")
    }

    @inline(__always)
    func holdsForAll(_ isWanted: (ManagedObject) -> Bool) -> Bool {
        var holds = true
        forEachUnretained { object in
            holds = isWanted(object)
            return holds
        }
        return holds
    }
}

extension Array where Element == ManagedObject {
    /// The objects for which `isWanted` holds; the array itself, without a copy, if it holds for all.
    @inline(__always)
    func matching(_ isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
        holdsForAll(isWanted) ? self : filter(isWanted)
    }
}
