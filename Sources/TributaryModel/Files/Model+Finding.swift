internal import Foundation

extension ModelFile {
    /// Where the models of a program lie that names no other folders: beside it, and in the bundles beside it.
    public static var programFolders: [String] { [Bundle.main.bundlePath] }
}

extension Model {
    /// The model of a name, as ``ModelFile/find(named:in:)`` finds it.
    ///
    ///     let model = try Model(named: "Library", in: ["Resources"])
    ///
    /// - Throws: `ModelError` if there is none, or it cannot be read or is wrong.
    public convenience init(named name: String, in folders: [String] = ModelFile.programFolders) throws {
        guard let path = ModelFile.find(named: name, in: folders) else {
            let places = folders.isEmpty ? "no folder" : folders.joined(separator: ", ")
            throw ModelError(["there is no model \"\(name)\" in \(places); look at the spelling, or name its folder"])
        }
        try self.init(ModelFile.read(path))
    }

    /// One model with the entities of all models in some folders, in the order of their paths.
    ///
    /// - Throws: `ModelError` if there is none, or one cannot be read or is wrong, or two do not fit.
    public static func merging(in folders: [String] = ModelFile.programFolders) throws -> Model {
        let paths = folders.flatMap(ModelFile.models(in:))
        guard !paths.isEmpty else { throw ModelError(["there is no model in \(folders.joined(separator: ", "))"]) }
        return try merging(paths.map { try Model(ModelFile.read($0)) })
    }
}
