import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

import Tributary

/// Seeds from a server on this computer.
@Suite struct RemoteSeedTests {
    private let world: SeedWorld

    init() throws { world = try SeedWorld() }

    private func server(
        _ files: [String: LoopbackServer.Answer] = [:]
    ) throws -> LoopbackServer {
        try LoopbackServer { files[$0] ?? .missing }
    }

    @Test("A company comes from a server, and the same files are planted once")
    func companyFromAServer() throws {
        let server = try server(["/A.json": .redirection("/B.json"), "/B.json": .file(SeedWorld.companyA)])
        let main = try world.writeMain(companyA: #"{"seedUrl": "\#(server.address("/A.json"))", "seedFile": "x"}"#)
        try world.manager.seed(from: main, loader: NetworkSeedLoader())
        #expect(try world.count("Company") == 2 && world.count("Employee") == 6)
        guard case .alreadyFinished = try world.manager.seed(from: main, loader: NetworkSeedLoader()) else {
            return #expect(Bool(false), "the seed was planted twice")
        }
        let error = #expect(throws: SeedError.self) { try world.manager.seed(from: main) }
        #expect(error?.code == .networkNotAllowed)
    }

    @Test("A server that does not answer with the whole file is an error, and nothing is planted")
    func failures() throws {
        let server = try server([
            "/cut.json": .cutOff(SeedWorld.companyA), "/loop.json": .redirection("/loop.json"),
            "/local.json": .redirection("file:///etc/hostname"),
            "/large.json": .file("{\"Company\": [" + String(repeating: " ", count: 5000) + "]}"),
        ])
        var loader = NetworkSeedLoader()
        loader.maxBytes = 4000
        let addresses = ["/missing.json", "/cut.json", "/loop.json", "/local.json", "/large.json"].map(server.address)
        var reasons: [String] = []
        for address in addresses + [try LoopbackServer.deadAddress()] {
            let error = try world.error(#"{"seedlings": [{"seedUrl": "\#(address)"}]}"#, loader: loader)
            #expect(error.code == .network && "\(error)".contains("Bad.json: \(address) cannot be loaded"), "\(error)")
            reasons.append(error.reason)
        }
        #expect(reasons[0].contains("answered 404") && reasons[4].contains("more than 4000 bytes"), "\(reasons)")
    }

    @Test("A remote seed may not name files of this computer")
    func localFiles() throws {
        let server = try server([
            "/file.json": .file(#"{"seedlings": [{"seedFile": "Local.json"}]}"#),
            "/url.json": .file(#"{"seedlings": [{"seedUrl": "file:///etc/hostname"}]}"#),
        ])
        try world.write("Local.json", SeedWorld.companyA)
        for path in ["/file.json", "/url.json"] {
            let error = try world.error(
                #"{"seedlings": [{"seedUrl": "\#(server.address(path))"}]}"#, loader: NetworkSeedLoader())
            #expect(error.code == .refused && error.reason.contains("remote seed names the local file"), "\(error)")
            #expect(error.files.count == 2)
        }
    }

    @Test("A cycle of addresses is an error")
    func cycle() throws {
        let server = try LoopbackServer { _ in .file(#"{"seedlings": [{"seedUrl": "http://localhost/"}]}"#) }
        /// Gives every address the answer of the server.
        struct Loader: SeedLoader {
            let url: URL
            func load(_ url: URL) throws -> Data { try NetworkSeedLoader().load(self.url) }
        }
        let error = try world.error(
            #"{"seedlings": [{"seedUrl": "http://localhost/"}]}"#, loader: Loader(url: server.url("/")))
        #expect(error.code == .cycle)
    }
}
