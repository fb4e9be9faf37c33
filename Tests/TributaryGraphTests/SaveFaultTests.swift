import CTributaryFaults
import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A disk that fails or is full during a save loses nothing, neither in the store nor in the context.
@Suite(.serialized) struct SaveFaultTests {
    @Test(
        "A save that fails on a disk error loses no changes and can be repeated",
        arguments: [FAULTS_IO, FAULTS_FULL], [true, false])
    func aSaveThatFailedCanBeRepeated(_ mode: Int, _ usesLog: Bool) async throws {
        let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_CRASHES"] == "all"
        let seed = SeededGenerator.fresh().seed
        // The faults apply to the whole process, so the test runs in a separate one.
        await #expect(processExitsWith: .success, "seed \(seed)") {
            [
                mode = mode as Int, usesLog = usesLog as Bool, isWhole = isWhole as Bool, seed = seed as UInt64
            ] in
            #expect(faults_install() == 0)
            let trial = try await FaultTrial(CrashWorld.Setting(usesLog: usesLog))
            var generator = SeededGenerator(seed: seed)
            for turn in 0..<(isWhole ? trial.calls : 6) {
                let point = isWhole ? turn + 1 : 1 + generator.below(trial.calls)
                for stays in isWhole ? [false, true] : [generator.once(in: 2)] {
                    do {
                        try await trial.fail(Int32(mode), point, stays)
                    } catch {
                        Issue.record("mode \(mode), call \(point) of \(trial.calls), seed \(seed): \(error)")
                    }
                }
            }
            #expect(trial.failures > 0, "no save has failed")
            print("\(trial.setting), mode \(mode): \(trial.failures) failures of a save with \(trial.calls) calls")
        }
    }
}

/// Saves with injected faults in the calling process.
private final class FaultTrial {
    let setting: CrashWorld.Setting
    private let folder: TemporaryFolder
    private let stateB: [[SQLValue]]
    let calls: Int
    private(set) var failures = 0

    init(_ setting: CrashWorld.Setting) async throws {
        self.setting = setting
        folder = try TemporaryFolder()
        do {
            let manager = try CrashWorld.manager(folder.path("template"), setting)
            try manager.writeAndWait { CrashWorld.fill($0) }
            // Closing writes the contents of the log to the file, which is copied next.
            await MainActor.run { manager.close() }
        }
        try FileManager.default.copyItem(atPath: folder.path("template"), toPath: folder.path("whole"))
        let manager = try CrashWorld.manager(folder.path("whole"), setting)
        let context = manager.newPrivateContext()
        calls = try context.performAndWait { context in
            try CrashWorld.change(context)
            faults_arm(Int32(FAULTS_NONE), 0, 0, 0)
            try context.save()
            return faults_disarm()
        }
        stateB = try CrashWorld.dump(manager)
        await MainActor.run { manager.close() }
    }

    func fail(_ mode: Int32, _ point: Int, _ stays: Bool) async throws {
        let path = folder.path("\(UUID())")
        try FileManager.default.copyItem(atPath: folder.path("template"), toPath: path)
        let manager = try CrashWorld.manager(path, setting)
        let context = manager.newPrivateContext()
        let place: Testing.Comment = "\(setting), mode \(mode), call \(point), \(stays ? "for ever" : "once")"
        try context.performAndWait { context in
            try CrashWorld.change(context)
            context.processPendingChanges()
            let pending = [context.insertedObjects, context.updatedObjects, context.deletedObjects]
            faults_arm(mode, point, stays ? 1 : 0, 0)
            let result = Result { try context.save() }
            faults_disarm()
            switch result {
            // A failure in the cleanup after the commit is not reported, because the save is done.
            case .success: #expect(!context.hasChanges, place)
            case .failure(let error):
                failures += 1
                #expect("\(error)".contains(path), place)
                #expect(
                    [context.insertedObjects, context.updatedObjects, context.deletedObjects] == pending, place)
                try context.save()
            }
        }
        #expect(try CrashWorld.dump(manager) == stateB, place)
        #expect(try CrashWorld.faults(manager).isEmpty, place)
        await MainActor.run { manager.close() }
    }
}
