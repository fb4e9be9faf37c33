import Foundation
import Tributary
import TributaryConcurrency

/// A way to import, for profiling.
enum ProfileForm: String, CaseIterable, Codable, Sendable {
    /// One fetch for each record, as in simple programs.
    case naive
    /// One fetch for each chunk, one after the other: `insertOrUpdate`.
    case single
    /// `StreamImport` with a closure, on several threads.
    case streaming
    /// `StreamImport` without a closure, like the command.
    case rows

    /// Runs one form in this process and writes its samples to a file.
    static func run(_ words: [String]) throws {
        guard words.count == 4, let form = ProfileForm(rawValue: words[0]) else {
            throw Problem("usage: profile-form FORM FILE DATABASE SAMPLES")
        }
        let samples = try MainActor.assumeIsolated { try form.profile(words[1], into: words[2]) }
        try JSONEncoder().encode(samples).write(to: URL(filePath: words[3]))
    }

    @MainActor private func profile(_ file: String, into database: String) throws -> [ProfileSample] {
        let model = self == .rows ? try Model(ImportUsers.model(indexed: false)) : try Model(ImportUsers.User.self)
        let manager = try ContextManager(model: model, store: .sqlite(database))
        defer { manager.close() }
        switch self {
        case .naive, .single:
            let counter = ProfileCounter()
            return try ProfileSampler.sample({ counter.state }) {
                try manager.newPrivateContext().performAndWait { context in
                    try self == .naive ? naive(file, context, counter) : single(file, context, counter)
                }
            }
        case .streaming, .rows:
            let route: ImportRoute =
                self == .rows ? .rows("User") : .objects(ImportUsers.User.self) { try ImportUsers.set($1, from: $0) }
            let feed = StreamImport(into: manager, from: [.file(file)], routes: [route])
            return try ProfileSampler.sample({ feed.measures }) { _ = try feed.perform() }
        }
    }

    private func naive(_ file: String, _ context: ManagedObjectContext, _ counter: ProfileCounter) throws {
        let reader = RecordReader(from: .file(file))
        while let chunk = try counter.during("waiting", { try reader.next() }) {
            for record in chunk {
                let id: Int = record["id"]
                let user = try counter.during("finding") {
                    try ImportUsers.User.findOrInsert(["id": id], in: context)
                }
                try counter.during("setting") { try ImportUsers.set(user, from: record) }
                counter.add(1)
            }
            try counter.during("writing") { try context.save() }
            context.reset()
        }
    }

    private func single(_ file: String, _ context: ManagedObjectContext, _ counter: ProfileCounter) throws {
        var options = ReadOptions()
        options.chunkRecords = 10_000
        let reader = RecordReader(from: [FileSource(file)], options: options)
        while let chunk = try counter.during("waiting", { try reader.next() }) {
            // `insertOrUpdate` includes the only fetch.
            try counter.during("setting") {
                _ = try ImportUsers.User.insertOrUpdate(chunk, key: \.id, in: context) { record, user in
                    try ImportUsers.set(user, from: record)
                }
            }
            try counter.during("writing") { try context.save() }
            context.reset()
            counter.add(chunk.count)
        }
    }
}
