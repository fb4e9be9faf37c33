#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TributaryGraph
package import TributaryJSON

/// What tells one import from another: what is imported, from where, into what, and how.
///
/// An import with the same identity as an earlier one would do the same again. How fast it works, what it does about errors
/// and how it is watched are no part of it, so that an unfinished import can go on with other ones.
package struct ImportIdentity: Sendable, Hashable, Codable {
    package typealias Route = JournalEntry.Route

    /// The names of the sources, absolute paths for files.
    package var sources: [String]
    /// The entities that are fed.
    package var routes: [Route]
    /// What is done with keys that are there.
    package var mode: ImportMode
    /// How values follow one another.
    package var format: String
    /// The name of the member with a record's own key, and of a value that is no object.
    package var memberNames: [String]
    /// How much of anything is accepted.
    package var limits: ReadLimits
    /// The most records.
    package var limit: Int?
    /// The hash of the model; empty if columns are found from the data.
    package var model: String
    /// What decides which value goes where: the text or hash of the mapping, or a name for a setter.
    package var mapping: String

    /// The identity of an import of `sources`.
    package init(
        sources: [any ByteSource], routes: [Route], options: ImportOptions, model: String, mapping: String = ""
    ) {
        self.sources = sources.map(\.identityName)
        self.routes = routes
        mode = options.mode
        format = options.reading.format.description
        memberNames = [options.reading.keyName, options.reading.valueName]
        limits = options.reading.limits
        limit = options.limit
        self.model = model
        self.mapping = mapping
    }

    /// All of it as one text, the same for equal identities.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            fatalError("an identity is plain values, which can be written: \(error)")
        }
    }

    /// A short text that is the same for equal identities, and for no others.
    package var hash: String {
        var hasher = SHA256()
        hasher.update(text.utf8)
        return hasher.finish().prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
