import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

import Tributary

/// Seeds by addresses.
@Suite struct RemoteSeedTests {
    /// Loads files from memory.
    private struct Loader: SeedLoader {
        struct Missing: Error {}

        let files: [String: String]

        func load(_ url: URL) throws -> Data {
            guard let text = files[url.absoluteString] else { throw Missing() }
            return Data(text.utf8)
        }
    }

    private let world: SeedWorld

    init() throws { world = try SeedWorld() }

    @Test("A company comes from a server, and the same files are planted once")
    func companyFromAServer() throws {
        let loader = Loader(files: ["https://example.org/A.json": SeedWorld.companyA])
        let main = try world.writeMain(companyA: #"{"seedUrl": "https://example.org/A.json", "seedFile": "x"}"#)
        try world.manager.seed(from: main, loader: loader)
        #expect(try world.count("Company") == 2 && world.count("Employee") == 6)
        guard case .alreadyFinished = try world.manager.seed(from: main, loader: loader) else {
            return #expect(Bool(false), "the seed was planted twice")
        }
        let error = #expect(throws: SeedError.self) { try world.manager.seed(from: main) }
        #expect(error?.code == .networkNotAllowed)
    }

    @Test("A file that a loader cannot load is an error, and nothing is planted")
    func failures() throws {
        let error = try world.error(
            #"{"seedlings": [{"seedUrl": "http://example.org/b"}]}"#, loader: Loader(files: [:]))
        #expect(
            error.code == .network && "\(error)".contains("Bad.json: http://example.org/b cannot be loaded"), "\(error)"
        )
        #expect(try world.count("Company") == 0)
    }

    @Test("An address with a password is refused, and the password is not shown")
    func passwords() throws {
        for address in ["http://me:secret@example.org/b", "https://secret@example.org/b"] {
            let error = try world.error(#"{"seedlings": [{"seedUrl": "\#(address)"}]}"#, loader: Loader(files: [:]))
            #expect(error.code == .refused && !"\(error)".contains("secret"), "\(error)")
        }
    }

    @Test("A remote seed may not name files of this computer")
    func localFiles() throws {
        let loader = Loader(files: [
            "http://example.org/file": #"{"seedlings": [{"seedFile": "Local.json"}]}"#,
            "http://example.org/url": #"{"seedlings": [{"seedUrl": "file:///etc/hostname"}]}"#,
        ])
        try world.write("Local.json", SeedWorld.companyA)
        for name in ["file", "url"] {
            let error = try world.error(
                #"{"seedlings": [{"seedUrl": "http://example.org/\#(name)"}]}"#, loader: loader)
            #expect(error.code == .refused && error.reason.contains("remote seed names the local file"), "\(error)")
            #expect(error.files.count == 2)
        }
    }

    @Test("A cycle of addresses is an error")
    func cycle() throws {
        let text = #"{"seedlings": [{"seedUrl": "http://localhost/"}]}"#
        let error = try world.error(text, loader: Loader(files: ["http://localhost/": text]))
        #expect(error.code == .cycle)
    }
}
