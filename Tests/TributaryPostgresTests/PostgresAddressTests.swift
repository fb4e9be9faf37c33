import Testing
import TributaryPostgres
import TributaryTestSupport

/// Addresses, which never show a password.
@Suite struct PostgresAddressTests {
    @Test(
        "An address describes itself in one form",
        arguments: [
            ("postgres://me@db.example:5433/shop", "postgres://me@db.example:5433/shop"),
            ("POSTGRESQL://me@db.example/shop", "postgres://me@db.example/shop"),
            ("postgres://", "postgres://"),
            ("postgres:///shop?host=/run/sockets", "postgres:///shop?host=%2Frun%2Fsockets"),
            ("postgres://a,b:5433/shop", "postgres:///shop?host=a%2Cb&port=%2C5433"),
            ("postgres://[::1]:5433/shop", "postgres:///shop?host=%3A%3A1&port=5433"),
            ("postgres://me:secret@db.example/shop?sslmode=require", "postgres://me@db.example/shop?sslmode=require"),
            ("postgres://me@h/shop?password=secret&sslpassword=hidden", "postgres://me@h/shop"),
            ("postgres://a%40b:c%3Ad%2Fe@h/x%20y", "postgres://a%40b@h/x%20y"),
        ])
    func description(text: String, expected: String) throws {
        let address = try PostgresAddress(text)
        #expect(address.description == expected)
        #expect(try PostgresAddress(expected).description == expected)
    }

    @Test(
        "The location of an address has neither user nor password, and tells schemas apart",
        arguments: [
            ("postgres://me:secret@h:5433/shop", "h:5433/shop"),
            ("postgres://you@h:5433/shop?sslmode=require", "h:5433/shop"),
            ("postgres://me@h:5433/shop?options=-csearch_path%3Da", "h:5433/shop?search_path=a"),
            (
                "postgres://me@h:5433/shop?options=-c%20x.y%3D1%20--search-path%3Da%5C%20b",
                "h:5433/shop?search_path=a b"
            ),
            ("postgres://me@h:5433", "h:5433/me"),
        ])
    func location(text: String, expected: String) throws {
        #expect(try PostgresAddress(text).location == expected)
    }

    @Test(
        "An invalid address is refused without its text",
        arguments: [
            ("mysql://h/x", "does not begin with postgres://"),
            ("postgres://me:se%zzcret@h/x", "% of the address is not followed by two hexadecimal digits"),
            ("postgres://me:secret%", "% of the address is not followed by two hexadecimal digits"),
            ("postgres://me:secret%00@h/x", "U+0000"),
            ("postgres://me:secret\0@h/x", "U+0000"),
            ("postgres://me:sec@ret@h/x", "write %40 or %2F"),
            ("postgres://me:sec/ret@h/x", "write %40 or %2F"),
            ("postgres://me:secret@h:port/x", "port"),
            ("postgres://me:secret@h:70000/x", "port"),
            ("postgres://me:secret@h/x?secret=1", "not a valid URI"),
            ("postgres://me:secret@[::1/x", "not a valid URI"),
        ])
    func refusal(text: String, expected: String) throws {
        let error = try #require(throws: PostgresError.self) { try PostgresAddress(text) }
        #expect(error.code == .address)
        #expect(error.description.contains(expected), "\(error)")
        #expect(!error.description.contains("secret") && !error.description.contains("sec"))
    }

    @Test("No text of an address contains its password")
    func passwordsAreHidden() throws {
        var generator = SeededGenerator.sampled(2026)
        for number in 0..<2000 {
            // Letters that no other part has, so that a part of the password can be recognized.
            let secret = (0..<(4 + generator.below(12))).map { _ in
                generator.pick(["Q", "Z", "%40", "%2F", "%25", "?", ":", "#"])
            }
            let password = "ZZQQ" + secret.joined()
            let inUser = generator.once(in: 2)
            let text =
                "postgres://"
                + (inUser ? "me:\(password)@" : generator.pick(["", "me@"]))
                + generator.pick(["", "db.example", "[::1]", "a,b", "db.example:5433"])
                + generator.pick(["", "/", "/shop", "/a%40b"])
                + (inUser
                    ? generator.pick(["", "?sslmode=require"])
                    : generator.pick(["?password=", "?sslmode=require&password=", "?sslpassword="])
                        + password.replacing("?", with: "%3F"))
            let comment: Comment = "seed \(generator.seed), case \(number): \(text)"
            var shown: [String]
            do {
                let address = try PostgresAddress(text)
                shown = ["\(address)", String(reflecting: address), address.location]
                var dumped = ""
                dump(address, to: &dumped)
                shown.append(dumped)
                // Nothing but the password is lost.
                #expect(try PostgresAddress(address.description).location == address.location, comment)
            } catch let error as PostgresError {
                shown = ["\(error)", String(reflecting: error)]
            }
            for text in shown {
                #expect(!text.contains("Q") && !text.contains("ZZ"), comment)
            }
        }
    }

    @Test("A text is an address by its scheme alone")
    func isAddress() {
        #expect(PostgresAddress.isAddress("postgres://h/x") && PostgresAddress.isAddress("Postgresql://"))
        #expect(!PostgresAddress.isAddress("app.sqlite") && !PostgresAddress.isAddress("postgres:/h"))
    }
}
