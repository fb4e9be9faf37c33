import CTributaryFaults
import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A template of a store in state A, the state B that a save makes of it, and the number of file system calls it takes.
final class CrashStage: Sendable {
    let setting: CrashWorld.Setting
    let stateA: [[SQLValue]]
    let stateB: [[SQLValue]]
    /// The number of calls that change files, in the save and in closing the store after it.
    let calls: Int
    let callsOfSave: Int
    private let folder: TemporaryFolder

    /// A fault to inject: what happens, and at which call.
    struct Fault: Sendable, CustomStringConvertible {
        let mode: Int
        let point: Int
        var stays = false
        let seed: UInt64
        var description: String { "mode \(mode), call \(point), seed \(seed)" }
    }

    init(_ setting: CrashWorld.Setting) async throws {
        self.setting = setting
        folder = try TemporaryFolder()
        let path = folder.path("template.sqlite")
        do {
            let manager = try CrashWorld.manager(path, setting)
            try manager.writeAndWait { CrashWorld.fill($0) }
            stateA = try CrashWorld.dump(manager)
            await MainActor.run { manager.close() }
        }
        let whole = folder.path("whole.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: whole)
        await CrashStage.runChild(whole, setting, Fault(mode: FAULTS_NONE, point: 0, seed: 0))
        let counts = try String(contentsOfFile: whole + "-calls", encoding: .utf8).split(separator: " ").map { Int($0) }
        callsOfSave = try #require(counts[0])
        calls = try #require(counts[1])
        stateB = try CrashWorld.dump(try CrashWorld.manager(whole, setting))
    }

    /// Saves in a separate process, which is killed at the fault or else after it has closed the store.
    private static func runChild(_ path: String, _ setting: CrashWorld.Setting, _ fault: Fault) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = path as String, usesLog = setting.usesLog as Bool, isDurable = setting.isDurable as Bool,
                mode = fault.mode as Int, point = fault.point as Int, seed = fault.seed as UInt64
            ] in
            #expect(faults_install() == 0)
            let setting = CrashWorld.Setting(usesLog: usesLog, isDurable: isDurable)
            let manager = try CrashWorld.manager(path, setting)
            let context = manager.newPrivateContext()
            try context.performAndWait { context in
                try CrashWorld.change(context)
                faults_arm(Int32(mode), point, 0, seed)
                try context.save()
            }
            // This file tells the parent process that `save()` has returned.
            try Data().write(to: URL(filePath: path + "-saved"))
            let saved = mode == FAULTS_NONE ? faults_disarm() : 0
            await MainActor.run { manager.close() }
            let calls = mode == FAULTS_NONE ? faults_disarm() : 0
            try Data("\(saved) \(calls)".utf8).write(to: URL(filePath: path + "-calls"))
            kill(getpid(), SIGKILL)
        }
    }

    /// Kills a save at the fault, and describes each way in which the store is then not whole, or not usable.
    func violations(of fault: Fault) async throws -> [String] {
        let path = folder.path("\(UUID()).sqlite")
        let files = FileManager.default
        try files.copyItem(atPath: folder.path("template.sqlite"), toPath: path)
        await CrashStage.runChild(path, setting, fault)
        let wasTold = files.fileExists(atPath: path + "-saved")
        let losesPower = fault.mode == FAULTS_POWER || fault.mode == FAULTS_POWER_LIES
        var found: [String] = []
        do {
            let manager = try CrashWorld.manager(path, setting)
            let state = try CrashWorld.dump(manager)
            found += try CrashWorld.faults(manager)
            if state == stateA {
                if wasTold, !losesPower || setting.isDurable { found.append("a save that was done is gone") }
                try manager.writeAndWait { try CrashWorld.change($0) }
                if try CrashWorld.dump(manager) != stateB { found.append("saving again gives something else") }
            } else if state == stateB {
                try manager.writeAndWait { $0.insert(CrashTag.self).name = "one more" }
            } else {
                found.append("neither before nor after: \(Set(state).symmetricDifference(stateB).count) rows differ")
            }
            found += try CrashWorld.faults(manager)
            await MainActor.run { manager.close() }
        } catch {
            found.append("\(error)")
        }
        for file in try files.contentsOfDirectory(atPath: folder.url.path)
        where file.hasPrefix(URL(filePath: path).lastPathComponent) {
            try files.removeItem(atPath: folder.path(file))
        }
        return found.map { "\(setting), \(fault): \($0)" }
    }
}
