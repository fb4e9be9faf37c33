import CTributaryTwins
import Foundation
import Tributary

/// `scripts/profile`: imports the same users in several ways, and shows how each spends its time.
struct Profile {
    /// The measurements of one form.
    struct Run: Encodable {
        let form: ProfileForm
        let records: Int
        let seconds: Double
        let recordsPerSecond: Double
        let peakMemory: Int
        let samples: [ProfileSample]
    }

    private static let usage =
        "usage: scripts/profile [--count N] [--into FOLDER] [--form \(ProfileForm.allCases.map(\.rawValue).joined(separator: "|"))]..."
    private var count = 50_000
    private var output = "."
    private var forms: [ProfileForm] = []

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch (word, rest.popFirst()) {
            case ("--count", let text?):
                guard let number = Int(text), number > 0 else { throw Problem(Profile.usage) }
                count = number
            case ("--into", let folder?): output = folder
            case ("--form", let name?):
                guard let form = ProfileForm(rawValue: name) else { throw Problem(Profile.usage) }
                forms.append(form)
            default: throw Problem(Profile.usage)
            }
        }
        if forms.isEmpty { forms = ProfileForm.allCases }
    }

    func run() throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appending(path: "tributary-profile-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }
        try manager.createDirectory(atPath: output, withIntermediateDirectories: true)
        let file = folder.appending(path: "users.json").path
        try ImportUsers.write(count, order: 1, contents: 1, to: file)
        var runs: [Run] = []
        let report = Report()
        report.say("\(count) users")
        for form in forms {
            let run = try run(form, file, folder)
            runs.append(run)
            let slowest = runs[0].seconds
            report.say(
                form.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
                    + String(
                        format: "%7.2f s  %9.0f records a second  %5.1f times %@  %4d MiB", run.seconds,
                        run.recordsPerSecond, slowest / run.seconds, runs[0].form.rawValue, run.peakMemory >> 20))
        }
        try Report.json(runs).write(to: URL(filePath: output).appending(path: "profile.json"))
        print("profile.json is in \(output); scripts/plot-profile draws it")
    }

    /// Runs a form in a child process, so that its memory is measured separately.
    private func run(_ form: ProfileForm, _ file: String, _ folder: URL) throws -> Run {
        let samples = folder.appending(path: "\(form.rawValue).json").path
        let database = folder.appending(path: "\(form.rawValue).sqlite").path
        let words = [BenchmarkFolder.ownPath, "profile-form", form.rawValue, file, database, samples]
        let child = try BenchmarkFolder.run(words, output: folder.appending(path: "output").path)
        let taken = try JSONDecoder().decode(
            [ProfileSample].self, from: Data(contentsOf: URL(filePath: samples)))
        guard let last = taken.last, last.state.written == count else {
            throw Problem("\(form.rawValue) has imported \(taken.last?.state.written ?? 0) of \(count) records")
        }
        return Run(
            form: form, records: count, seconds: last.seconds, recordsPerSecond: Double(count) / last.seconds,
            peakMemory: child.peak_bytes, samples: taken)
    }
}
