import Foundation
import TributaryImport
import TributaryJSON

/// The model that `--write-model` writes, and the options with which a command imports into it.
struct InspectModel {
    private let found: ProfiledModel
    /// The path, as the command line names it.
    private let path: String
    private let mapPath: String?
    /// The entity of the records, if a command has to name it.
    private let entity: String?
    /// The number of records that are no objects.
    private let others: Int
    private let isWhole: Bool

    /// Makes the model of a profile.
    init(_ profile: DumpProfile, _ command: InspectCommand, _ sources: [any ByteSource], file: String) throws {
        (path, mapPath, isWhole) = (file, command.map, profile.isWhole)
        let paths = try (profile.sources.first?.paths ?? []).map { try RecordPath($0) }
        var request = ImportTarget.Request()
        request.files = sources.map { ($0 as? FileSource)?.path ?? $0.name }
        (request.container, request.isFolder) = InputFiles.container(command.operands)
        guard paths.count > 1, profile.records.count == 0 else {
            request.member = paths.first?.memberName
            let name = try ImportTarget.entityName(request)
            others = profile.recordCount - profile.records[.object].count
            let key = InspectModel.key(ImportLine(ProfileFindings(profile), command))
            found = try ProfiledModel(profile, [ProfiledModel.Place(name: name, path: [], key: key)])
            let isKnown = found.names.allSatisfy { EntityName.fits($0, stem: name) } || found.model.entities.count == 1
            entity = isKnown ? nil : found.names.first
            return
        }
        let target = try ImportTarget(all: paths, request, .inferred(nil))
        found = try ProfiledModel(
            profile,
            target.places.map { place in
                let steps = place.path.profileSteps
                var key: ImportKey?
                if case .member(let name)? = profile.key(of: steps)?.path.last { key = ImportKey(name) }
                return ProfiledModel.Place(name: place.entity, path: steps, key: key)
            })
        entity = nil
        others = target.places.reduce(0) { sum, place in
            let records = profile.records[path: place.path.profileSteps[...]]
            return sum + (records.map { $0.count - $0[.object].count } ?? 0)
        }
        for (name, place) in zip(found.names, target.places)
        where !EntityName.fits(name, stem: place.path.memberName ?? "") {
            throw CommandError(
                "the records at \(Excerpt.escape(place.path.description)) need another name than those at other places; "
                    + "write a model for each place: --at \(ShellWord.quoted(place.path.description))")
        }
    }

    private static func key(_ line: ImportLine) -> ImportKey? {
        guard let name = line.key else { return nil }
        return ImportKey(name, remote: line.typedKey?.path.first == name ? line.typedKey : nil)
    }

    /// What the model does not hold, each in a line.
    var notes: [String] {
        var notes: [String] = []
        if !found.leftOut.isEmpty {
            notes.append(
                "the model has no attributes for \(found.leftOut.shortList), whose names no attribute can have")
        }
        if others > 0 {
            let (count, verb) = (FigureText.counted(others, "record"), others == 1 ? "is no object" : "are no objects")
            notes.append("\(count) \(verb), and the model holds nothing of \(others == 1 ? "it" : "them")")
        }
        if !isWhole { notes.append("the model is of a part of the records, and the others may have more") }
        return notes
    }

    /// The options of a command that imports into the model.
    var words: [String] {
        ["--model", path] + (mapPath.map { ["--map", $0] } ?? []) + (entity.map { ["--entity", $0] } ?? [])
    }

    /// The XML of the model, with the mapping unless that has a file.
    var text: String { ModelWriter.write(mapPath == nil ? found.model : found.parts.model) }

    /// The mapping as JSON.
    var mapText: String { found.parts.mappings.jsonText + "\n" }

    // MARK: Files

    /// The file with the XML of a model: that inside of a bundle of Xcode, or else the model itself.
    static func file(_ path: String) -> String {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        if path.hasSuffix(".xcdatamodel") { return path + "/contents" }
        guard path.hasSuffix(".xcdatamodeld") else { return path }
        let name = (path as NSString).lastPathComponent
        return "\(path)/\(name.dropLast())/contents"
    }

    /// Refuses a bundle with other versions.
    static func check(_ path: String) throws {
        let version = ((file(path) as NSString).deletingLastPathComponent as NSString).lastPathComponent
        let known = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if known.contains(where: { $0.hasSuffix(".xcdatamodel") && $0 != version }) {
            throw CommandError("\(Excerpt.escape(path)) has other versions of a model; choose another name")
        }
    }

    /// The file at a path, or the outermost folder that has to be made for it inside of a bundle.
    static func firstMissing(_ path: String, _ bundle: String?) -> String {
        guard let bundle, path == file(bundle) else { return path }
        var first = path
        while first.count > bundle.count {
            let folder = (first as NSString).deletingLastPathComponent
            if FileKind(folder) != nil { break }
            first = folder
        }
        return first
    }

    /// Makes the folders of a bundle.
    static func makeFolders(of path: String) throws {
        guard file(path) != path else { return }
        try FileManager.default.createDirectory(
            atPath: (file(path) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    }
}
