import CTributaryTwins
import TributaryJSON
import TributaryTestSupport

/// Cases for parsing.
enum ParseCases {
    static let all: [BenchmarkCase] = [
        BenchmarkCase(
            name: "parse/array/columns", run: { try columns($0.path(.users)) },
            twin: ("C collect", { try BenchmarkResult(twin_collect($0.path(.users), 0)) })),
        BenchmarkCase(
            name: "parse/ndjson/columns", run: { try columns($0.path(.usersNDJSON)) },
            twin: ("C collect", { try BenchmarkResult(twin_collect($0.path(.usersNDJSON), 1)) })),
        BenchmarkCase(
            name: "parse/array/members", run: { try members($0.path(.users)) },
            twin: ("C collect", { try BenchmarkResult(twin_collect($0.path(.users), 0)) })),
        BenchmarkCase(
            name: "parse/array/print", run: { try print($0.path(.users)) },
            twin: ("C parse", { try parsed(twin_parse($0.path(.users), 0), $0) })),
        BenchmarkCase(
            name: "parse/array/validate", run: { try validate($0.path(.users), $0) },
            twin: ("C parse", { try parsed(twin_parse($0.path(.users), 0), $0) })),
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
        var result = BenchmarkResult(records: 0, checksum: 0)
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
        var result = BenchmarkResult(records: 0, checksum: 0)
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
        var result = BenchmarkResult(records: 0, checksum: 0)
        var line: [UInt8] = []
        while let chunk = try reader.next() {
            line.removeAll(keepingCapacity: true)
            for record in chunk { record.value.appendCompact(to: &line) }
            result.records += chunk.count
        }
        return result
    }

    private static func validate(_ path: String, _ workload: Workload) throws -> BenchmarkResult {
        var options = ReadOptions()
        options.format = .json
        options.paths = []
        let reader = RecordReader(from: [FileSource(path)], options: options)
        while try reader.next() != nil {}
        return BenchmarkResult(records: workload.count, checksum: 0)
    }

    /// The result of a twin that only parses; its count of records is that of the file.
    private static func parsed(_ result: twin_result, _ workload: Workload) throws -> BenchmarkResult {
        guard result.failed == 0 else { throw Problem("the twin could not read its file") }
        return BenchmarkResult(records: workload.count, checksum: 0)
    }
}
