internal import Foundation

extension ModelFile {
    /// The default folders for models: the folder of the program, including its bundles.
    public static var programFolders: [String] { [Bundle.main.bundlePath] }
}

extension Model {
    /// The model with a name, found by ``ModelFile/find(named:in:)``.
    ///
    ///     let model = try Model(named: "Library", in: ["Resources"])
    ///
    /// - Throws: `ModelError` if there is none, it cannot be read, or it is not valid.
    public convenience init(named name: String, in folders: [String] = ModelFile.programFolders) throws {
        guard let path = ModelFile.find(named: name, in: folders) else {
            let searched = folders.isEmpty ? "no folder" : folders.joined(separator: ", ")
            throw ModelError(["there is no model \"\(name)\" in \(searched); check the spelling, or pass its folder"])
        }
        try self.init(ModelFile.read(path))
    }

    /// A model with the entities of all models in some folders, in the order of their paths.
    ///
    /// - Throws: `ModelError` if there is none, one cannot be read or is not valid, or two contradict each other.
    public static func merging(in folders: [String] = ModelFile.programFolders) throws -> Model {
        let paths = folders.flatMap(ModelFile.models(in:))
        guard !paths.isEmpty else { throw ModelError(["there is no model in \(folders.joined(separator: ", "))"]) }
        return try merging(paths.map { try Model(ModelFile.read($0)) })
    }
}
