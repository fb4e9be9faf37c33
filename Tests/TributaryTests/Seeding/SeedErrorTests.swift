import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Seeds that are refused, after which nothing is planted.
@Suite struct SeedErrorTests {
    private let world: SeedWorld

    init() throws { world = try SeedWorld() }

    @Test("A cycle of files is an error with the chain of files")
    func cycle() throws {
        try world.write(
            "B.json", #"{"Company": {"companyName": "b", "employees": {"seedlings": {"seedFile": "C.json"}}}}"#)
        try world.write(
            "C.json", #"{"seedlings": [{"seedFile": "../\#(world.folder.url.lastPathComponent)/Bad.json"}]}"#)
        let error = try world.error(#"{"seedlings": [{"seedFile": "B.json"}]}"#)
        #expect(error.code == .cycle && error.files.count == 3)
        let names = error.reason.components(separatedBy: " → ").map { $0.split(separator: "/").last }
        #expect(names == ["Bad.json", "B.json", "C.json", "Bad.json"])
        #expect("\(error)".contains("included by"))
    }

    @Test("Files that include ever more files are an error")
    func nesting() throws {
        for index in 0..<70 {
            try world.write("\(index).json", #"{"seedlings": [{"seedFile": "\#(index + 1).json"}]}"#)
        }
        let error = try world.error(#"{"seedlings": [{"seedFile": "0.json"}]}"#)
        #expect(error.code == .cycle && error.reason.contains("64 files"))
    }

    @Test("A missing file is an error with the files that name it")
    func missingFile() throws {
        try world.write("B.json", #"{"seedlings": [{"seedFile": "Nowhere.json"}]}"#)
        let error = try world.error(#"{"seedlings": [{"seedFile": "B.json"}]}"#)
        #expect(error.code == .unreadable && error.reason.hasSuffix("Nowhere.json"))
        #expect(error.files.map { $0.split(separator: "/").last } == ["Bad.json", "B.json"])
        #expect("\(error)".contains("B.json: there is no file") && "\(error)".contains("Bad.json)"))
        let main = URL(filePath: world.folder.path("Main.json"))
        #expect(throws: SeedError.self) { try world.manager.seed(from: main) }
    }

    @Test(
        "What a seed cannot say is an error that names the place",
        arguments: [
            (#"[1]"#, SeedError.Code.form, "does not begin with an object"),
            (#"{}"#, .form, "does not begin with an object"),
            (#"text"#, .form, "does not begin with an object"),
            (#"{"Company": {"companyName": "a"}"#, .form, ""),
            (#"{"Company": [], "Employee": {}}"#, .form, "other members besides Company"),
            (#"{"seedlings": [], "Employee": {}}"#, .form, "other members besides seedlings"),
            (#"{"Company": [1]}"#, .form, "Company is not given as an object"),
            (#"{"Company": [[]]}"#, .form, "Company is not given as an object"),
            (#"{"seedlings": ["a.json"]}"#, .form, "a seedling is not an object"),
            (#"{"seedlings": [{}]}"#, .form, "a seedling names no file"),
            (#"{"seedlings": [{"seedFile": 1}]}"#, .form, "expected"),
            (#"{"seedlings": [{"seedFile": "/etc/passwd"}]}"#, .refused, "not the name of a file beside this one"),
            (#"{"seedlings": [{"seedFile": ""}]}"#, .refused, "not the name of a file beside this one"),
            (#"{"seedlings": [{"seedUrl": "ftp://a/b"}]}"#, .refused, "ftp://a/b is not a seed"),
            (#"{"seedlings": [{"seedUrl": "http://127.0.0.1/b"}]}"#, .networkNotAllowed, "is on the network"),
            (#"{"Firm": {}}"#, .unknown, "the model has no entity Firm"),
            (#"{"Company": {"firmName": 1}}"#, .unknown, "Company has no property firmName"),
            (#"{"Company": {"companyName": 1}}"#, .value, "Company.companyName: found 1"),
            (#"{"Company": {"companyName": "a", "companyName": "b"}}"#, .form, "companyName twice"),
            (#"{"Company": {"founded": "yesterday"}}"#, .value, "Company.founded: found the string"),
            (#"{"Employee": {"rank": 40000}}"#, .value, "Employee.rank: found 40000"),
            (#"{"Company": {"employees": 5}}"#, .form, "Company.employees is a relationship"),
            (#"{"Company": {"employees": {}}}"#, .form, "Company.employees is a relationship"),
            (#"{"Company": {"employees": [null]}}"#, .form, "Company.employees is a relationship"),
            (#"{"Company": {"employees": "Mr. T"}}"#, .form, "Company.employees is a relationship"),
            (#"{"Company": {"employees": {"Company": {}}}}"#, .value, "objects of Employee, not of Company"),
            (#"{"Employee": {"company": {"Company": [{}, {}]}}}"#, .value, "one object, and the seed gives it 2"),
            (#"{"Employee": {"company": {"Company": []}}}"#, .value, "one object, and the seed gives it 0"),
            (#"{"Employee": {"company": "<ref:b>"}}"#, .reference, "no object before this place has the <id> b"),
            (#"{"Company": [{"<id>": "a"}, {"<id>": "a"}]}"#, .reference, "another object of the seed has the <id> a"),
            (#"{"Company": {"<id>": 1}}"#, .reference, "<id> is not a text"),
        ])
    func refusals(_ text: String, _ code: SeedError.Code, _ reason: String) throws {
        let error = try world.error(text)
        #expect(error.code == code, "\(error)")
        #expect(reason.isEmpty || error.reason.contains(reason), "\(error)")
        #expect("\(error)".contains("Bad.json"), "\(error)")
    }

    @Test("A value that does not fit is an error with its file, line, entity and property")
    func place() throws {
        try world.write("B.json", "{\"Company\": [\n{\"companyName\": true}]}")
        let error = try world.error(#"{"seedlings": [{"seedFile": "B.json"}]}"#)
        let file = world.folder.path("B.json")
        #expect("\(error)".hasPrefix("\(file):2:17: Company.companyName: found true, expected "), "\(error)")
    }

    @Test("An object that is not valid undoes the whole seed, and its numbers are not issued again")
    func invalidObjects() throws {
        let staff = (0..<5000).map { #"{"employeeName": "\#($0)", "employeeID": "<uniqueID>"}"# } + ["{}"]
        let main = try world.write("Main.json", "{\"Employee\": [\(staff.joined(separator: ","))]}")
        #expect(throws: SaveError.self) { try world.manager.seed(from: main) }
        #expect(try world.count("Employee") == 0)
        #expect(try world.manager.imports.entries().isEmpty)
        #expect(try world.manager.uniqueIDs.next() > 5000)
        // The store can be written after that.
        try world.manager.seed(from: world.write("Good.json", #"{"Department": {"name": "a"}}"#))
        #expect(try world.count("Department") == 1)
    }
}
