import TributaryGraph

extension OracleContext {
    /// Takes back what an object itself has changed, on both sides; `base` is what the store has.
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
            // A column of the other side is the other side's change.
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

    /// The relationships of an object that differ from what they were.
    func differences(_ id: Int, _ old: OracleObject) -> [String] {
        links(id).filter { link in
            if !link.isToMany { return world[id]?.ones[link.name] != old.ones[link.name] }
            // What is gone stands nowhere, whatever the store had led to it.
            let (here, there) = (many(id, link), (old.manys[link.name] ?? []).filter { world[$0] != nil })
            return link.isOrdered ? here != there : Set(here) != Set(there)
        }.map(\.name)
    }
}
