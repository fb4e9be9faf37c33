import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// Dates and other types that are written as text.
@Suite struct DateTests {
    private func seconds(_ text: String, _ format: DateFormat) throws -> Double? {
        try record("{\"d\":\(text)}").date("d", format: format)?.timeIntervalSince1970
    }

    @Test(
        "A date in ISO 8601 is read as its seconds since 1970",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T12:34:56Z", 1_709_210_096),
            ("2024-02-29 12:34:56+02:00", 1_709_202_896),
            ("2024-02-29T12:34:56.25-0130", 1_709_215_496.25), ("20240229T123456Z", 1_709_210_096),
            ("2024-02-29", 1_709_164_800),
            ("2024-02", 1_706_745_600), ("2024", 1_704_067_200),
            ("2024-060", 1_709_164_800), ("2024060", 1_709_164_800),
            ("2024-W09-4", 1_709_164_800), ("2024W094", 1_709_164_800), ("2024-02-29T12", 1_709_208_000),
            ("2024-02-29T12:34", 1_709_210_040),
            ("2024-02-29t12:34:56z", 1_709_210_096), ("2024-02-29T24:00:00Z", 1_709_251_200),
            ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("1969-12-31T23:59:59,5Z", -0.5),
            ("0001-01-01", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2024-02-29T12:34:56+05", 1_709_192_096), ("2024-02-29T12:34:56", 1_709_210_096),
            ("1900-03-01", -2_203_891_200),
        ])
    func iso8601(_ text: String, _ expected: Double) throws {
        #expect(try seconds("\"\(text)\"", .iso8601) == expected, "\(text)")
    }

    @Test(
        "Text that is not a valid date in ISO 8601 is an error",
        arguments: [
            "2024-13-01", "2023-02-29", "2024-02-30", "2024-00-01", "2024-2-9", "2024-02-29T25:00", "2024-02-29T12:60",
            "2024-02-29T12:34:61Z",
            "2024-02-29T12:34:56+25:00", "2024-02-29x", "2024-02-29T",
            "2024-366x", "2023-366", "2024-W54", "2024-W09-8",
            "24-02-29", "", "now",
            "2024-02-29T12:34:56.Z", "2024-02-29T12:34:56ZZ", "202402", "２０２４-01-01", "1900-02-29",
        ])
    func whatIsNoDate(_ text: String) {
        let error = #expect(throws: JSONError.self, "\(text)") { try seconds("\"\(text)\"", .iso8601) }
        #expect(error?.code == .convertFormat)
    }

    @Test("Calendar and week dates of four centuries agree with Foundation")
    func everyDayAgreesWithFoundation() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        // Each 13th day of four centuries.
        for day in stride(from: -30_000, to: 116_000, by: 13) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekOfYear, .yearForWeekOfYear, .weekday], from: date)
            guard let year = parts.year, let month = parts.month, let dayOfMonth = parts.day,
                let week = parts.weekOfYear,
                let weekYear = parts.yearForWeekOfYear, let weekday = parts.weekday
            else { continue }
            let text = String(format: "\"%04d-%02d-%02d\"", year, month, dayOfMonth)
            #expect(try seconds(text, .iso8601) == date.timeIntervalSince1970, "\(text)")
            let weekText = String(format: "\"%04d-W%02d-%d\"", weekYear, week, (weekday + 5) % 7 + 1)
            #expect(try seconds(weekText, .iso8601) == date.timeIntervalSince1970, "\(weekText)")
        }
    }

    @Test("Seconds, milliseconds and microseconds since 1970 are read as dates")
    func epochs() throws {
        #expect(try seconds("1700000000", .epochSeconds) == 1_700_000_000)
        #expect(try seconds("1700000000.25", .epochSeconds) == 1_700_000_000.25)
        #expect(try seconds("-1.7e9", .epochSeconds) == -1_700_000_000)
        #expect(try seconds("\"1700000000\"", .epochSeconds) == 1_700_000_000)
        #expect(try seconds("1700000000123", .epochMilliseconds) == 1_700_000_000.123)
        #expect(try seconds("1700000000123456", .epochMicroseconds) == 1_700_000_000.123456)
        for text in ["\"nan\"", "\"0x10\"", "\"inf\"", "\"\"", "true", "[1]"] {
            #expect(throws: JSONError.self, "\(text)") { try seconds(text, .epochSeconds) }
        }
        #expect { try seconds("1700000000123", .epochSeconds) } throws: { ($0 as? JSONError)?.code == .convertRange }
    }

    @Test("A null or missing date is nil")
    func nullAndMissingAreNoDates() throws {
        #expect(try record("{\"d\":null}").date("d", format: .iso8601) == nil)
        #expect(try record("{}").date("d", format: .iso8601) == nil)
        let date: Date? = try record("{\"d\":\"2024-02-29T00:00:00Z\"}")["d"]
        #expect(date?.timeIntervalSince1970 == 1_709_164_800)
    }

    @Test(
        "A date is read by a custom pattern, and other text is an error",
        arguments: [
            ("dd.MM.yyyy HH:mm", "29.02.2024 12:34", 1_709_210_040), ("M/d/yyyy", "2/29/2024", 1_709_164_800),
            ("d MMM yyyy", "29 Feb 2024", 1_709_164_800),
            ("EEEE, d MMMM yyyy", "Thursday, 29 February 2024", 1_709_164_800),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-02-29T12:34:56+02:00", 1_709_202_896),
            ("EEE MMM dd HH:mm:ss Z yyyy", "Thu Feb 29 12:34:56 +0000 2024", 1_709_210_096),
            ("h:mm a, d.M.yy", "1:05 PM, 1.3.24", 1_709_298_300),
            ("yyyyMMddHHmmssSSS", "20240229123456789", 1_709_210_096.789),
            ("yyyy 'o''clock'", "2024 o'clock", 1_704_067_200),
        ])
    func ownPatterns(_ pattern: String, _ text: String, _ expected: Double) throws {
        let json = "\"\(text)\""
        if pattern.contains("''") { return #expect(DateFormat(pattern: pattern) != nil) }
        let found = try seconds(json, .pattern(pattern))
        #expect(abs((found ?? 0) - expected) < 1e-6, "\(pattern) \(found as Any)")
        #expect(throws: JSONError.self) { try seconds("\"\(text)x\"", .pattern(pattern)) }
    }

    @Test("A date pattern with an unknown letter or an open quote is nil")
    func patternsFromOutsideAreChecked() {
        #expect(DateFormat(pattern: "yyyy-QQ") == nil)
        #expect(DateFormat(pattern: "yyyy 'open") == nil)
        #expect(DateFormat(pattern: "yyyy")?.description == "yyyy")
    }

    @Test("The first of several date formats that matches is used")
    func severalFormats() throws {
        let format = DateFormat.any(of: .iso8601, .epochSeconds)
        #expect(try seconds("\"2024-02-29\"", format) == 1_709_164_800)
        #expect(try seconds("1709164800", format) == 1_709_164_800)
        let error = #expect(throws: JSONError.self) { try seconds("\"soon\"", format) }
        #expect(error?.reason == "found the string \"soon\", expected a date as ISO 8601 or seconds since 1970")
        #expect(try seconds("\"2024-02-29T12:00\"", .iso8601(secondsFromGMT: 3600)) == 1_709_204_400)
    }

    @Test("A UUID, a URL and base64 of both alphabets are read from strings")
    func uuidsURLsAndBase64() throws {
        let record = try record(
            #"{"u":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","l":"https://a.b/c?d=é","d":"aGk_Pz8-","e":"aGk/Pz8+","f":"aGk=","g":"aGk","x":"!"}"#
        )
        let uuid: UUID? = record["u"]
        #expect(uuid?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        let url: URL? = record["l"]
        #expect(url?.host() == "a.b")
        let texts = ["d", "e", "f", "g"].map { key -> Data? in record[key] }
        #expect(texts == [Data("hi???>".utf8), Data("hi???>".utf8), Data("hi".utf8), Data("hi".utf8)])
        #expect(record.failure == nil)
        let noUUID: UUID? = record["x"]
        #expect(noUUID == nil && record.failure?.code == .convertFormat)
        record.clearFailure()
        let noData: Data? = record["x"]
        #expect(noData == nil && record.failure?.reason == "found the string \"!\", expected base64")
    }
}
