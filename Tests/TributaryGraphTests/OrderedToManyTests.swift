import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// A list of songs, which know nothing of it.
private final class Playlist: ManagedObject {
    @Attribute var name: String?
    @Relationship var songs: OrderedToMany<Song>
}

/// A song of any number of playlists.
private final class Song: ManagedObject {
    @Attribute var number: Int = 0
}

/// Ordered relationships without an inverse, whose destinations may be deleted elsewhere.
@MainActor @Suite("Ordered relationships without an inverse") struct OrderedToManyTests {
    @Test("Random assignments, insertions and removals come to what an array has, and can be undone")
    func randomChanges() throws {
        var random = SeededGenerator.fresh()
        for round in 0..<30 {
            let manager = try ContextManager(model: Model(Playlist.self, Song.self), store: .memory)
            let context = manager.mainContext
            let list = context.insert(Playlist.self)
            for number in 0..<40 { context.insert(Song.self).number = number }
            try context.save()
            let undoManager = ContextUndoManager()
            context.undoManager = undoManager
            var songs = try context.fetch(FetchRequest<Song>())
            var wanted: [Song] = []
            var history: [[Song]] = [wanted]
            let comment: Comment = "seed \(random.seed), round \(round)"
            for step in 0..<30 {
                let before = wanted
                switch random.below(6) {
                case 0: wanted = Array(songs.shuffled(using: &random).prefix(random.below(songs.count)))
                case 1: wanted.shuffle(using: &random)
                case 2: wanted.reverse()
                case 3: wanted.removeAll { _ in random.once(in: 3) }
                case 4:
                    let song = random.pick(songs)
                    wanted.removeAll { $0 === song }
                    let index = random.below(wanted.count + 1)
                    wanted.insert(song, at: index)
                    list.songs.insert(song, at: index)
                default:
                    if random.once(in: 4), songs.count > 5 {
                        // Another context deletes a song, which the list of this one keeps.
                        let song = songs.remove(at: random.below(songs.count))
                        let id = song.objectID
                        try context.save()
                        let saved = Guarded<SavedChanges?>(nil)
                        let observation = manager.observeSaves { changes in saved.withLock { $0 = changes } }
                        try manager.writeAndWait { $0.delete($0.object(with: id)) }
                        context.merge(try #require(saved.withLock { $0 }))
                        withExtendedLifetime(observation) {}
                        wanted.removeAll { $0 === song }
                        undoManager.removeAllActions()
                        history = [wanted]
                    } else if let song = wanted.last {
                        wanted.removeLast()
                        list.songs.remove(song)
                    }
                }
                list.songs = OrderedToMany(wanted)
                context.processPendingChanges()
                check(list, wanted, songs, comment)
                if !before.elementsEqual(wanted, by: ===), undoManager.canUndo { history.append(wanted) }
                if random.once(in: 5), history.count > 1 {
                    try context.undo()
                    let last = history.removeLast()
                    wanted = history[history.count - 1]
                    check(list, wanted, songs, comment)
                    if random.once(in: 2) {
                        try context.redo()
                        history.append(last)
                        wanted = last
                        check(list, wanted, songs, comment)
                    }
                }
                if random.once(in: 8) { try context.save() }
                if random.once(in: 8), step > 0 {
                    try context.save()
                    let numbers = try manager.newPrivateContext().performAndWait { context in
                        try #require(try context.fetch(FetchRequest<Playlist>()).first).songs.map(\.number)
                    }
                    #expect(numbers == wanted.map(\.number), comment)
                }
            }
        }
    }

    private func check(_ list: Playlist, _ wanted: [Song], _ songs: [Song], _ comment: Comment) {
        let found = list.songs
        #expect(found.count == wanted.count, comment)
        #expect(found.endIndex == wanted.count, comment)
        #expect(found.elementsEqual(wanted, by: ===), comment)
        for index in wanted.indices { #expect(found[index] === wanted[index], comment) }
        for song in songs { #expect(found.contains(song) == wanted.contains(song), comment) }
    }
}
