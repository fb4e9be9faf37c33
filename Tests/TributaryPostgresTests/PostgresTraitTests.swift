import Foundation
import Testing
import TributaryTestSupport

/// The package builds without libpq when the trait is disabled.
@Suite struct PostgresTraitTests {
    @Test("One file imports libpq, and only with the trait")
    func oneImport() throws {
        let folder = Tool.package.appending(path: "Sources/TributaryPostgres")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        let importing = zip(files, texts).filter { $0.1.contains("import CTributaryPostgres") }
        #expect(files.count > 10 && importing.map(\.0) == ["Session/LibPQ.swift"])
        let text = try #require(importing.first?.1)
        let condition = try #require(text.range(of: "\n#if Postgres\n"))
        let otherwise = try #require(text.range(of: "\n#else\n", range: condition.upperBound..<text.endIndex))
        let place = try #require(text.range(of: "import CTributaryPostgres"))
        #expect(condition.upperBound < place.lowerBound && place.lowerBound < otherwise.lowerBound)
    }
}
