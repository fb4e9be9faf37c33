import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Rejected records in the store: keeping them, writing them to a file, and importing them again.
@Suite struct RejectTests {
    private let items: ItemStore

    init() throws { items = try ItemStore() }

    private var manager: ContextManager { items.manager }

    /// Ten records, of which three cannot be imported.
    private static let text = """
        [{"id":0,"name":"0"},{"id":1,"name" "1"},{"id":2,"name":"2"},{"id":3,"name":3},{"id":4,"name":"4"},
        {"id":5,"name":"5"},{"name":"none"},{"id":7,"name":"7"},{"id":8,"name":"8"},{"id":9,"name":"9"}]
        """

    @discardableResult
    private func load(_ text: String = text, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> ImportSummary
    {
        var options = ImportOptions.batches(of: 3, onError: .quarantine)
        change(&options)
        return try manager.load(MemorySource(text.utf8, name: "dump.json"), [.rows("FeedItem", at: "[]")], options)
    }

    private func write(_ name: String = "bad.ndjson") throws -> (path: String, lines: [String]) {
        let path = items.folder.path(name)
        try manager.rejects.write(to: path)
        return (path, try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init))
    }

    private func edit(_ old: String, _ new: String, _ name: String = "bad.ndjson") throws {
        let path = items.folder.path(name)
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing(old, with: new)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func retry(_ name: String = "bad.ndjson", _ options: RetryOptions = RetryOptions()) throws -> RetrySummary {
        try manager.retry(.file(FileSource(items.folder.path(name))), options: options)
    }

    @Test("Quarantine keeps each reject's place, reason and bytes; other policies keep none")
    func quarantine() throws {
        #expect(try load { $0.onError = .skip }.rejected == 3)
        #expect(try manager.rejects.count() == 0)
        let books = try load { $0.resuming = .never }
        #expect(books.rejected == 3 && books.isBalanced)
        let rejects = try manager.rejects.page()
        #expect(rejects.map(\.id) == [1, 2, 3] && rejects.allSatisfy { $0.run == books.run })
        #expect(rejects.map(\.code) == ["syntax.unexpected", "convert.type", "key.missing"])
        #expect(
            rejects.map { String(decoding: $0.raw, as: UTF8.self) } == [
                "{\"id\":1,\"name\" \"1\"}", "{\"id\":3,\"name\":3}", "{\"name\":\"none\"}",
            ])
        #expect(rejects.map(\.record) == [2, 4, 7] && rejects.allSatisfy { $0.file == "dump.json" && $0.at == "[]" })
        #expect(rejects[1].path == "$[3].name" && rejects[2].entity == "FeedItem" && rejects[2].line == 2)
        #expect(try manager.rejects.count(run: books.run) == 3 && manager.rejects.count(run: 99) == 0)
    }

    @Test("A line of a rejects file holds all that a retry needs, even invalid UTF-8")
    func lines() throws {
        let text =
            Array("{\"a\":{\"ü\\\"1\":{\"id\":1,\"name\":2},\"x\":{\"id\":\"".utf8) + [0xFF]
            + Array("\"},\"y\":1}}".utf8)
        var options = ImportOptions.batches(of: 10, onError: .quarantine)
        options.reading.limits.rejectedBytes = 12
        try manager.load(MemorySource(text, name: "d.json"), [.rows("FeedItem", at: ".a{}")], options)
        let rejects = try manager.rejects.page()
        #expect(rejects.count == 3 && rejects[0].key == "ü\"1" && rejects[0].keyName == "_key")
        #expect(rejects[0].isTruncated && rejects[1].raw.contains(0xFF))
        let (path, lines) = try write()
        #expect(
            lines[0].hasPrefix("{\"reject\":1,\"run\":1,\"entity\":\"FeedItem\",\"at\":\".a{}\",\"key\":\"ü\\\"1\","))
        var reader = RejectsReader(FileSource(path))
        for reject in rejects {
            guard case .reject(let read, _)? = try reader.next() else {
                Issue.record("no line for \(reject)")
                return
            }
            #expect(read.raw == reject.raw && read.isTruncated == reject.isTruncated && read.key == reject.key)
            #expect((read.id, read.run, read.code, read.reason) == (reject.id, reject.run, reject.code, reject.reason))
        }
    }

    @Test("Edited rejects are imported once, and the others stay for another retry")
    func retrying() throws {
        try load()
        _ = try write()
        let none = try retry()
        #expect((none.read, none.imported, none.left, none.gone) == (3, 0, 3, 0))
        try edit("{\\\"id\\\":1,\\\"name\\\" \\\"1\\\"}", "{\\n\\\"id\\\":1, \\\"name\\\":\\\"one\\\"}")
        try edit("\\\"name\\\":\\\"none\\\"", "\\\"id\\\":6,\\\"name\\\":7")
        let first = try retry()
        #expect((first.read, first.counts.inserted, first.left, first.gone) == (3, 1, 2, 0))
        let left = try manager.rejects.page()
        #expect(left.map(\.id) == [2, 3] && left.map(\.code) == ["convert.type", "convert.type"])
        // A reject that was edited and is rejected again is kept as edited.
        #expect(String(decoding: left[1].raw, as: UTF8.self) == "{\"id\":6,\"name\":7}")
        try edit("\\\"name\\\":3", "\\\"name\\\":\\\"three\\\"")
        try edit("\\\"id\\\":6,\\\"name\\\":7", "\\\"id\\\":6,\\\"name\\\":\\\"six\\\"")
        let second = try retry()
        #expect((second.read, second.imported, second.left, second.gone) == (2, 2, 0, 1))
        #expect(try manager.rejects.count() == 0)
        let third = try retry()
        #expect((third.read, third.gone) == (0, 3))
        #expect(
            try items.rows().map(\.withoutNumber).sorted() == [
                "0 0", "1 one", "2 2", "3 three", "4 4", "5 5", "6 six", "7 7", "8 8", "9 9",
            ])
        let runs = try manager.imports.entries()
        #expect(runs.count == 4 && runs.allSatisfy { $0.state == .finished && $0.summary.isBalanced })
    }

    @Test("A line that holds two records, or none, is rejected as a whole", arguments: ["[]", "{}"])
    func oneLineOneRecord(_ layout: String) throws {
        let text = layout == "[]" ? "[{\"id\":x}]" : "{\"k\":{\"id\":x}}"
        try manager.load(
            .text(text), [.rows("FeedItem", at: try RecordPath(layout))], .batches(of: 9, onError: .quarantine))
        for raw in [
            "{\"id\":1},{\"id\":2}", "{\"id\":1}, \"l\":{\"id\":2}", "{\"id\":1}]", "{\"id\":1}}", "[", "\"", "1,2",
        ] {
            try? FileManager.default.removeItem(atPath: items.folder.path("bad.ndjson"))
            let path = try write().path
            var reject = try #require(try manager.rejects.page().first)
            let line = try String(contentsOfFile: path, encoding: .utf8)
            let start = try #require(line.range(of: ",\"raw\":"))
            var edited = Array(line[..<start.upperBound].utf8)
            edited += JSONLineWriter.quoted(raw) + Array("}\n".utf8)
            _ = try items.folder.write(edited, to: "bad.ndjson")
            let summary = try retry()
            #expect((summary.read, summary.imported) == (1, 0), "\(raw)")
            reject = try #require(try manager.rejects.page().first)
            #expect(reject.raw == Array(raw.utf8), "\(raw)")
        }
        #expect(try items.rows().isEmpty)
    }

    @Test("Records without a key are imported once, however often they are retried")
    func keyless() throws {
        try manager.load(
            .text("[{\"id\":1,\"name\":5},{\"id\":2,\"name\":6}]"), [.newRows("FeedItem", at: "[]")],
            .batches(of: 9, onError: .quarantine))
        _ = try write()
        try edit("\\\"name\\\":5", "\\\"name\\\":\\\"five\\\"")
        #expect(try retry().imported == 1)
        #expect(try retry().imported == 0)
        try edit("\\\"name\\\":6", "\\\"name\\\":\\\"six\\\"")
        #expect(try retry().imported == 1)
        #expect(try items.rows().map(\.withoutNumber) == ["1 five", "2 six"])
        // Without a key, lines that are no rejects of the store could be imported twice.
        try edit("\"reject\":1,", "")
        #expect { try self.retry() } throws: { ($0 as? ImportError)?.hint == "name the key" }
    }

    @Test("A retry passes rejects to the setter of their route")
    func setters() throws {
        try load()
        let route = ImportRoute.objects(FeedItem.self, at: "[]", key: ImportKey(\FeedItem.id)) {
            record, item, context in
            let name: JSON = record["name"]
            item.name = "\(name.compactText) of \(try context.count(FetchRequest<FeedItem>()))"
        }
        let summary = try manager.retry(routes: [route])
        #expect((summary.read, summary.imported, summary.left) == (3, 1, 2))
        let rows = try items.rows()
        #expect(rows.contains { $0.hasSuffix(" 3 3 of 8") }, "\(rows)")
    }

    @Test("A dry run of a retry changes nothing")
    func dryRun() throws {
        try load()
        _ = try write()
        try edit("\\\"name\\\":3", "\\\"name\\\":\\\"three\\\"")
        let (rows, rejects) = (try items.rows(), try manager.rejects.page())
        var options = RetryOptions()
        options.isDryRun = true
        let summary = try retry("bad.ndjson", options)
        #expect((summary.imported, summary.left) == (1, 2))
        #expect(try items.rows() == rows && manager.rejects.page() == rejects)
    }

    @Test("A retry counts rejects of other stores and missing rejects separately")
    func otherStores() throws {
        try load()
        _ = try write()
        let other = try ItemStore()
        let file = RejectSource.file(FileSource(items.folder.path("bad.ndjson")))
        #expect(try other.manager.retry(file).gone == 3)
        try other.manager.load(
            MemorySource("[{\"id\":x}]".utf8, name: "x"), [.rows("FeedItem", at: "[]")],
            .batches(of: 3, onError: .quarantine))
        let summary = try other.manager.retry(file)
        #expect((summary.read, summary.foreign, summary.gone) == (0, 1, 2))
        #expect(try other.manager.rejects.count() == 1)
    }

    @Test("Rejects of many sources are each read once in a retry that keeps the names of the sources")
    func manySources() throws {
        let sources = (0..<40).map { source in
            MemorySource((0..<3).map { "{\"id\":\"\($0)\",\"n\":\(source)}\n" }.joined().utf8, name: "\(source).ndjson")
        }
        var columns = ColumnInference()
        columns.shaping = ColumnShaping()
        columns.shaping?.source = "file"
        let manager = try ContextManager(inferring: "t", at: items.folder.path("many.sqlite"))
        var options = ImportOptions.batches(of: 3, onError: .quarantine)
        options.reading.limits.string = 0
        _ = try StreamImport(
            into: manager, from: sources, routes: [.inferred("t", at: .root, key: nil, columns)], options: options
        ).perform()
        #expect(try manager.rejects.count() == 120 && manager.imports.runs().map(\.rejects) == [120])
        let rejects = try manager.stores.stores[0].read { try RetryFiles(.store, in: $0, named: "many") }
        #expect(rejects.groups.count == 40)
        for number in rejects.groups.indices {
            let lines = rejects.lines(of: number)
            #expect(lines.name == "\(number).ndjson")
            var options = ReadOptions()
            options.format = .ndjson
            let records = try RecordReader(from: [lines], options: options).next()
            #expect(records?.map { $0.value["n"].compactText } == ["\(number)", "\(number)", "\(number)"])
        }
    }

    // MARK: Files of rejects

    @Test("The rejects file of an import holds exactly the rejects of its run")
    func fileOfAnImport() throws {
        let path = items.folder.path("run.ndjson")
        try load { $0.rejects = path }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 3)
        try load { ($0.rejects, $0.resuming) = (path, .never) }
        let again = try String(contentsOfFile: path, encoding: .utf8)
        #expect(again.split(separator: "\n").count == 3 && again.contains("\"run\":2"))
        // Without rejects an existing file is emptied, and a missing one is not created.
        try load("[{\"id\":1,\"name\":\"a\"}]") { ($0.rejects, $0.resuming) = (path, .never) }
        #expect(try String(contentsOfFile: path, encoding: .utf8).isEmpty)
        let none = items.folder.path("none.ndjson")
        try load("[{\"id\":1,\"name\":\"a\"}]") { ($0.rejects, $0.resuming) = (none, .never) }
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test("A dry run writes the rejects file, and keeps no rejects in the store")
    func fileOfADryRun() throws {
        let path = items.folder.path("dry.ndjson")
        try load { ($0.rejects, $0.isDryRun) = (path, true) }
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 3)
        #expect(try manager.rejects.count() == 0 && items.rows().isEmpty)
    }

    @Test(
        "A file that holds anything but unedited rejects is not overwritten",
        arguments: ["edited", "text", "database", "source"])
    func otherFiles(_ what: String) throws {
        try load()
        var path = try write().path
        switch what {
        case "edited": try edit("\\\"name\\\":3", "\\\"name\\\":\\\"three\\\"")
        case "text": path = try items.folder.write("mine\nyours\n".utf8, to: "mine.txt")
        case "database": path = items.path
        default: path = try items.folder.write("[]".utf8, to: "source.json")
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let load = StreamImport(
            into: manager, from: [FileSource(items.folder.path("source.json"))], routes: [.rows("FeedItem", at: "[]")],
            options: .batches(of: 3, rejects: path))
        #expect { try load.perform() } throws: { ($0 as? ImportError)?.code == .rejectsFile }
        if what != "source" {
            #expect { try self.manager.rejects.write(to: path) } throws: { ($0 as? ImportError)?.code == .rejectsFile }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    // MARK: Forgetting

    @Test("A run replaces the rejects of an earlier run only if its source is the same")
    func superseding() throws {
        let path = try items.folder.write(Self.text.utf8, to: "dump.json")
        func load() throws {
            var options = ImportOptions.batches(of: 3, onError: .quarantine)
            options.resuming = .again
            try manager.load(FileSource(path), [.rows("FeedItem", at: "[]")], options)
        }
        try load()
        try load()
        #expect(try manager.rejects.page().map(\.run) == [2, 2, 2])
        _ = try items.folder.write((Self.text + " ").utf8, to: "dump.json")
        try load()
        #expect(try manager.rejects.page().map(\.run) == [2, 2, 2, 3, 3, 3])
    }

    @Test("A forgotten run loses its rejects, and its import starts from the beginning")
    func forgettingARun() throws {
        try load()
        #expect(try manager.imports.forget(run: 1))
        #expect(try !manager.imports.forget(run: 1))
        #expect(try manager.imports.entries().isEmpty && manager.rejects.count() == 0)
        #expect(try load { $0.resuming = .resume }.counts.unchanged == 7)
    }

    @Test("A forgotten entity can be imported again after its table is gone", arguments: [true, false])
    func forgettingAnEntity(_ isUnfinished: Bool) throws {
        // An unfinished load has a file for the table that is renamed.
        var source = FeedSource(name: "feed", bytes: Array(ItemStore.text(0..<200).utf8), piece: 64)
        if isUnfinished { source.event = (3000, .failure) }
        let first = items.makeImport(source) {
            ($0.batchSize, $0.onError, $0.firstLoad) = (7, .quarantine, .direct)
        }
        _ = try? first.perform()
        try items.store.importing { try $0.execute("ALTER TABLE \"FeedItem\" RENAME TO \"Kept\"") }
        #expect(try manager.imports.forget(entity: "FeedItem") == 1)
        #expect { try self.manager.imports.forget(entity: "Nothing") } throws: { ($0 as? ImportError)?.code == .route }
        #expect(try items.take(ItemStore.text(0..<5)).inserted == 5)
        #expect(try items.faults() == [])
    }

    // MARK: Other texts and other runs

    @Test("An error of another text in a setter is recorded at its record, and resolves no other reject")
    func errorsOfOtherTexts() throws {
        try load("[" + (0..<5).map { "{\"id\":\($0),\"name\":\($0)}" }.joined(separator: ",\n") + "]")
        #expect(try manager.rejects.count() == 5)
        let route = ImportRoute.objects(FeedItem.self, at: nil, key: ImportKey(["id"])) { record, item in
            let id: Int = record["id"]
            item.name = "\(id)"
            if id == 4 { _ = try RecordList(json: "[{\"a\":}]") }
        }
        let summary = try manager.retry(routes: [route])
        #expect((summary.imported, summary.counts.rejected) == (4, 1))
        let left = try manager.rejects.page()
        #expect(left.map(\.record) == [5] && left[0].line == 5, "\(left)")
        #expect(try items.rows().count == 4)
    }

    @Test(
        "The bytes of a reject are never taken for a compression or an encoding",
        arguments: [[0x42, 0x5A, 0x68, 0x39], [0x1F, 0x8B, 8], [0x7B, 0, 0x7D, 0], [0xFD, 0x37, 0x7A]] as [[UInt8]])
    func magicNumbers(_ start: [UInt8]) throws {
        let text = Array("{\"id\":1,\"name\":1}\n".utf8)
        let lines = Array("{\"id\":0,\"name\":\"0\"}\n".utf8) + start + [0x0A] + text
        var options = ImportOptions.batches(of: 3, onError: .quarantine)
        options.reading.format = .ndjson
        try manager.load(MemorySource(lines, name: "dump.json"), [.rows("FeedItem")], options)
        #expect(try manager.rejects.count() == 2)
        let summary = try manager.retry()
        #expect((summary.read, summary.imported, summary.left) == (2, 0, 2))
        #expect(try manager.rejects.page().map { $0.raw.starts(with: start) } == [true, false])
    }

    @Test("A later run that keeps no rejects leaves those of an earlier one")
    func laterRunWithoutQuarantine() throws {
        let path = items.folder.path("dump.json")
        try Data(Self.text.utf8).write(to: URL(filePath: path))
        func load(_ policy: ErrorPolicy) throws {
            try manager.load(FileSource(path), [.rows("FeedItem", at: "[]")], .batches(of: 3, onError: policy))
        }
        try load(.quarantine)
        let rejects = try manager.rejects.page()
        #expect(throws: (any Error).self) { try load(.stop) }
        try load(.skip)
        #expect(try rejects.count == 3 && manager.rejects.page() == rejects)
        try load(.quarantine)
        #expect(try manager.rejects.page().map(\.run) == [4, 4, 4])
    }

    @Test("The number of a deleted run is not used again")
    func numbersOfRuns() throws {
        let runs = try (0..<2).map { _ in try load().run }
        #expect(runs == [1, 2])
        for run in runs { #expect(try manager.imports.forget(run: run)) }
        #expect(try load().run == 3)
    }
}
