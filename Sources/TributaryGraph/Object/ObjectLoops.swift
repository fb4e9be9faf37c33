/// Passes over many objects that count no references: the array keeps them all the while.
extension RandomAccessCollection where Element == ManagedObject {
    /// Calls `body` for each object until it gives back false.
    @inline(__always)
    func forEachUnretained(_ body: (ManagedObject) throws -> Bool) rethrows {
        let count = self.count
        let whole: Void? = try withContiguousStorageIfAvailable { objects in
            guard let start = objects.baseAddress else { return }
            // A reference as it lies in memory is what Unmanaged is made of.
            let pointers = UnsafeRawPointer(start).assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
            for place in 0..<count {
                guard try pointers[place]._withUnsafeGuaranteedRef(body) else { return }
            }
        }
        demand(whole != nil, "objects lie in arrays")
    }

    /// Whether `isWanted` holds for each of them.
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
    /// Those for which `isWanted` holds; the array itself, without a copy, if all are.
    @inline(__always)
    func those(_ isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
        holdsForAll(isWanted) ? self : filter(isWanted)
    }
}
