import CTributaryTwins
import TributaryJSON
import TributaryTestSupport

/// Cases for parsing.
enum ParseCases {
    static let all: [BenchmarkCase] = [
        BenchmarkCase("parse/array/columns", { try columns($0.path(.users)) }, "C collect") {
            twin_collect($0.path(.users), 0)
        },
        BenchmarkCase("parse/ndjson/columns", { try columns($0.path(.usersNDJSON)) }, "C collect") {
            twin_collect($0.path(.usersNDJSON), 1)
        },
        BenchmarkCase("parse/array/members", { try members($0.path(.users)) }, "C collect") {
            twin_collect($0.path(.users), 0)
        },
        BenchmarkCase("parse/array/print", { try print($0.path(.users)) }, "C parse", parse),
        BenchmarkCase("parse/array/validate", validate, "C parse", parse),
    ]

    private static let paths = [
        "id", "name", "email", "age", "balance", "active", "created", "bio", "address.street", "address.city",
        "address.zip", "tags",
    ]

    /// Reads twelve values of each record, numbers as numbers and text as bytes, like the twin.
    private static func columns(_ path: String) throws -> BenchmarkResult {
        let reader = RecordReader(from: FileSource(path))
        let projection = Projection(paths)
        var values = ProjectedValues()
        var result = BenchmarkResult()
        var text: [UInt8] = []
        var sum = 0.0
        while let chunk = try reader.next() {
            text.removeAll(keepingCapacity: true)
            for record in chunk {
                projection.project(record, into: &values)
                let id: Int? = values[0]
                let age: Int? = values[3]
                let balance: Double? = values[4]
                let active: Bool? = values[5]
                result.checksum &+= id ?? 0
                sum += balance ?? Double(age ?? 0) + (active == true ? 1 : 0)
                for index in [1, 2, 6, 7, 8, 9, 10, 11] {
                    values.withRawBytes(at: index) { text.append(contentsOf: $0) }
                }
            }
            result.records += chunk.count
        }
        return result
    }

    /// Reads the same values through `record["name"]`, typed by the left side, like a setter.
    private static func members(_ path: String) throws -> BenchmarkResult {
        let reader = RecordReader(from: FileSource(path))
        var result = BenchmarkResult()
        var length = 0
        while let chunk = try reader.next() {
            for record in chunk {
                let id: Int = record["id"]
                let age: Int? = record["age"]
                let balance: Double? = record["balance"]
                let active: Bool? = record["active"]
                let address = record["address"]
                let texts: [String?] = [
                    record["name"], record["email"], record["created"], record["bio"], address["street"],
                    address["city"], address["zip"],
                ]
                result.checksum &+= id
                length &+= texts.reduce(age ?? 0) { $0 &+ ($1?.utf8.count ?? 0) } &+ Int(balance ?? 0)
                length &+= active == true ? 1 : 0
            }
            result.records += chunk.count
        }
        return result
    }

    private static func print(_ path: String) throws -> BenchmarkResult {
        let reader = RecordReader(from: FileSource(path))
        var result = BenchmarkResult()
        var line: [UInt8] = []
        while let chunk = try reader.next() {
            line.removeAll(keepingCapacity: true)
            for record in chunk { record.value.appendCompact(to: &line) }
            result.records += chunk.count
        }
        return result
    }

    private static func validate(_ workload: Workload) throws -> BenchmarkResult {
        var options = ReadOptions()
        options.format = .json
        options.paths = []
        let reader = RecordReader(from: [FileSource(workload.path(.users))], options: options)
        while try reader.next() != nil {}
        return BenchmarkResult(records: workload.count)
    }

    /// The twin that only parses; its count of records is that of the file.
    private static func parse(_ workload: Workload) -> twin_result {
        var result = twin_parse(workload.path(.users), 0)
        (result.records, result.checksum) = (workload.count, 0)
        return result
    }
}
