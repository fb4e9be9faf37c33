package import Foundation
import TributaryJSON

/// Where a seed file is.
package enum SeedPlace {
    case file(String)
    case remote(URL)

    /// The place that a URL names.
    package init(_ url: URL) throws {
        switch url.scheme?.lowercased() {
        case "file" where ["", "localhost"].contains(url.host() ?? ""): self = .file(url.path(percentEncoded: false))
        case "http", "https":
            // The journal keeps the addresses of seeds, and messages show them.
            guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
                throw SeedError(
                    .refused, "the address of a seed at \(Excerpt.escape(url.host() ?? "")) has a user or a password",
                    hint: "leave them out, and let the SeedLoader send them")
            }
            self = .remote(url)
        default:
            throw SeedError(
                .refused, "\(Excerpt.escape(url.absoluteString)) is not a seed",
                hint: "use the schemes file, http and https")
        }
    }

    /// The path or address in messages.
    var name: String {
        switch self {
        case .file(let path): path
        case .remote(let url): url.absoluteString
        }
    }

    /// Whether it is on another computer, whose files may not name files of this one.
    var isRemote: Bool { if case .remote = self { true } else { false } }

    /// Whether two places are the same file.
    func isSame(as other: SeedPlace) -> Bool {
        switch (self, other) {
        case (.file(let path), .file(let otherPath)): FilePath.areSame(path, otherPath)
        case (.remote(let url), .remote(let otherURL)): url.absoluteString == otherURL.absoluteString
        default: false
        }
    }

    /// The place that a seedling of this file names.
    ///
    ///     {"seedFile": "CompanyB.seed.json"}      {"seedUrl": "https://example.org/CompanyA.seed.json"}
    ///
    /// - Throws: `SeedError` without files or a position if it names none, or one that this file may not include.
    func place(of seedling: JSON) throws -> SeedPlace {
        let hint = "a seedling is {\"seedFile\": NAME} or {\"seedUrl\": URL}"
        guard seedling.kind == .object else { throw SeedError(.form, "a seedling is not an object", hint: hint) }
        if let text: String = try seedling["seedUrl"].textIfPresent() {
            guard let url = URL(string: text) else {
                throw SeedError(.form, "\(Excerpt.escape(text)) is not a URL", hint: hint)
            }
            let place = try SeedPlace(url)
            guard place.isRemote || !isRemote else { throw SeedPlace.localFromRemote(text) }
            return place
        }
        guard let name = try seedling["seedFile"].textIfPresent() else {
            throw SeedError(.form, "a seedling names no file", hint: hint)
        }
        guard case .file(let path) = self else { throw SeedPlace.localFromRemote(name) }
        guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(0) else {
            throw SeedError(
                .refused, "seedFile \(Excerpt.escape(name)) is not the name of a file beside this one",
                hint: "use a relative path, or seedUrl with file://")
        }
        return .file(FilePath.folder(of: path) + "/" + name)
    }

    private static func localFromRemote(_ name: String) -> SeedError {
        SeedError(
            .refused, "a remote seed names the local file \(Excerpt.escape(name))",
            hint: "a remote seed may name remote files only, by seedUrl with http or https")
    }
}

extension JSON {
    /// The text of a member; nil if it is missing.
    fileprivate func textIfPresent() throws -> String? {
        guard !isMissing else { return nil }
        return try String(json: self)
    }
}
