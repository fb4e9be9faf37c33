import CTributaryFaults
import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A migration that is killed at any file system call leaves the earlier store or the later one.
///
/// `scripts/sweep-crashes` tries every call; by default, the tests try a few random ones.
@Suite(.serialized) struct MigrationCrashTests {
    private static let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_CRASHES"] == "all"

    /// The model of the crash tests with renamed, added and removed properties, and a relation that becomes to-many.
    private static func later() throws -> Model {
        var model = try Model(CrashItem.self, CrashBox.self, CrashShelf.self, CrashTag.self).declaration
        for (index, entity) in model.entities.enumerated() {
            model.entities[index].className = nil
            if entity.name == "CrashItem" {
                for (place, attribute) in entity.attributes.enumerated() where attribute.name == "label" {
                    model.entities[index].attributes[place].name = "caption"
                    model.entities[index].attributes[place].renamingIdentifier = "label"
                }
                model.entities[index].attributes.removeAll { $0.name == "picture" }
                var grade = AttributeDescription("grade", .integer32)
                grade.defaultValue = .integer(4)
                model.entities[index].attributes.append(grade)
                for (place, relationship) in entity.relationships.enumerated() where relationship.name == "shelf" {
                    model.entities[index].relationships[place].isToMany = true
                }
            }
            if entity.name == "CrashTag" {
                model.entities[index].name = "Label"
                model.entities[index].renamingIdentifier = "CrashTag"
            }
            for (place, relationship) in entity.relationships.enumerated() where relationship.destination == "CrashTag"
            {
                model.entities[index].relationships[place].destination = "Label"
            }
        }
        return try Model(model)
    }

    private static func migrate(_ path: String, _ setting: CrashWorld.Setting) throws {
        var options = StoreOptions()
        (options.usesWriteAheadLog, options.isDurable) = (setting.usesLog, setting.isDurable)
        options.migration.dropsValues = true
        try SQLiteStore(later(), at: .sqlite(path), options: options).close()
    }

    /// Migrates in a separate process, which is killed at the fault or else afterwards.
    private static func runChild(
        _ path: String, _ setting: CrashWorld.Setting, mode: Int, point: Int, seed: UInt64
    ) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = path as String, usesLog = setting.usesLog as Bool, isDurable = setting.isDurable as Bool,
                mode = mode as Int, point = point as Int, seed = seed as UInt64
            ] in
            #expect(faults_install() == 0)
            faults_arm(Int32(mode), point, 0, seed)
            try MigrationCrashTests.migrate(path, CrashWorld.Setting(usesLog: usesLog, isDurable: isDurable))
            if mode == FAULTS_NONE { try Data("\(faults_disarm())".utf8).write(to: URL(filePath: path + "-calls")) }
            kill(getpid(), SIGKILL)
        }
    }

    @Test("A migration killed at any file system call has happened completely or not at all", arguments: [true, false])
    func killedAtAnyCall(_ usesLog: Bool) async throws {
        var generator = SeededGenerator.fresh()
        let setting = CrashWorld.Setting(usesLog: usesLog, isDurable: true)
        let folder = try TemporaryFolder()
        let template = folder.path("template.sqlite")
        do {
            let manager = try CrashWorld.manager(template, setting)
            try manager.writeAndWait { CrashWorld.fill($0) }
            for store in manager.stores.stores { store.close() }
        }
        func dump(_ path: String) throws -> [[SQLValue]] { try CrashWorld.dump(Connection(.file(path))) }
        let before = try dump(template)
        let whole = folder.path("whole.sqlite")
        try FileManager.default.copyItem(atPath: template, toPath: whole)
        await Self.runChild(whole, setting, mode: FAULTS_NONE, point: 0, seed: 0)
        let calls = try #require(Int(String(contentsOfFile: whole + "-calls", encoding: .utf8)))
        let after = try dump(whole)
        #expect(before != after && calls > 50, "\(calls) calls")
        var (kept, done) = (0, 0)
        for mode in [FAULTS_KILL, FAULTS_TEAR, FAULTS_POWER] {
            let points = Self.isWhole ? Array(1...calls) : (0..<4).map { _ in 1 + generator.below(calls) }
            for point in points {
                let path = folder.path("\(UUID()).sqlite")
                try FileManager.default.copyItem(atPath: template, toPath: path)
                await Self.runChild(path, setting, mode: mode, point: point, seed: generator.next())
                let state = try dump(path)
                #expect(state == before || state == after, "mode \(mode), call \(point), seed \(generator.seed)")
                if state == before { kept += 1 } else { done += 1 }
                try Self.migrate(path, setting)
                #expect(try dump(path) == after)
                #expect(try Connection(.file(path)).rows(of: "PRAGMA integrity_check") == [["ok"]])
            }
        }
        print("migration, log \(usesLog): \(kept) kept, \(done) migrated of \(calls) calls, seed \(generator.seed)")
    }
}
