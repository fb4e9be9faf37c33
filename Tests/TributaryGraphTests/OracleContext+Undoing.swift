import TributaryGraph

extension OracleContext {
    /// Undoes an object's own changes, on both sides of its relationships; `base` is the state of the store.
    mutating func undo(_ id: Int, _ base: [Int: OracleObject]) {
        guard let old = base[id], touched.contains(id) else { return }
        world[id]?.values = old.values
        for link in links(id) {
            guard link.inverse != nil else {
                world[id]?.ones[link.name] = old.ones[link.name]
                world[id]?.manys[link.name] = old.manys[link.name]
                continue
            }
            guard link.isToMany else {
                let partner = old.ones[link.name].flatMap { world[$0] == nil ? nil : $0 }
                if let partner, deleted.contains(partner) { continue }
                setOne(id, link, partner)
                world[id]?.ones[link.name] = old.ones[link.name]
                continue
            }
            // A to-one inverse is a column of the other object, so its change belongs to that object.
            if OracleLink.named(link.inverse ?? "", of: link.destination).isToMany {
                undoLinks(id, link, old.manys[link.name] ?? [])
            }
        }
        if differences(id, old).isEmpty { touched.remove(id) } else { touched.insert(id) }
    }

    private mutating func undoLinks(_ id: Int, _ link: OracleLink, _ old: [Int]) {
        let now = many(id, link)
        for other in now where !old.contains(other) { remove(id, link, other) }
        for other in old where !now.contains(other) && world[other] != nil && !deleted.contains(other) {
            add(id, link, other)
        }
        if Set(many(id, link)) == Set(old.filter { world[$0] != nil }) { world[id]?.manys[link.name] = old }
    }

    /// The names of the relationships that differ from the old state of an object.
    func differences(_ id: Int, _ old: OracleObject) -> [String] {
        links(id).filter { link in
            if !link.isToMany { return world[id]?.ones[link.name] != old.ones[link.name] }
            // Objects that no longer exist are ignored, even if the old state has references to them.
            let (here, there) = (many(id, link), (old.manys[link.name] ?? []).filter { world[$0] != nil })
            return link.isOrdered ? here != there : Set(here) != Set(there)
        }.map(\.name)
    }
}
