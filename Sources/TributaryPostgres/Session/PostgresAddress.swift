import Foundation

/// The address of a PostgreSQL database, such as `postgres://user@host:5432/database`.
///
/// It has all forms that libpq knows: several hosts, parameters such as `?sslmode=require`, a folder of a socket as the
/// host. What it does not say comes from the variables of libpq, such as `PGHOST`, `PGPASSWORD` and `PGSERVICE`.
public struct PostgresAddress: Sendable, Hashable {
    /// The parameters that the text gives, by the names of libpq.
    let parameters: [String: String]

    /// The address in `text`.
    ///
    /// - Throws: `PostgresError` if it is not a valid address. The error does not repeat the text, which may contain a
    ///   password.
    public init(_ text: String) throws {
        guard let body = PostgresAddress.body(of: text) else {
            throw PostgresError(.address, "the address does not begin with postgres:// or postgresql://")
        }
        if let reason = PostgresAddress.flaw(in: body) { throw PostgresError(.address, reason) }
        // Only lower-case letters make a scheme for libpq.
        guard let parameters = try LibPQ.parse("postgresql://" + body) else {
            throw PostgresError(.address, "the address is not a valid URI")
        }
        self.parameters = parameters
        for port in (parameters["port"] ?? "").split(separator: ",") {
            guard let number = Int(port), 1...65535 ~= number else {
                throw PostgresError(.address, "the port of the address is not a number from 1 to 65535")
            }
        }
    }

    /// Whether the address itself has a password, which other users of the computer can see in a list of processes.
    public var hasPassword: Bool { parameters["password"] != nil }

    /// Whether `text` begins as an address does.
    public static func isAddress(_ text: String) -> Bool { body(of: text) != nil }

    /// The database as an identity: hosts, ports, database and `search_path`, without user and password.
    ///
    /// What the address does not say has the value that a connection would use.
    package var location: String {
        let defaults = LibPQ.defaults
        func value(_ name: String) -> String? {
            parameters[name].flatMap { $0.isEmpty ? nil : $0 } ?? defaults[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        var text = (value("host") ?? value("hostaddr") ?? "localhost") + ":" + (value("port") ?? "5432")
        text += "/" + (value("dbname") ?? value("user") ?? "")
        if let service = parameters["service"] { text += "?service=\(service)" }
        if let path = setting("search_path", in: value("options")) {
            text += (parameters["service"] == nil ? "?" : "&") + "search_path=\(path)"
        }
        return text
    }

    /// Whether the address itself gives a setting of the server.
    func hasSetting(_ name: String) -> Bool { setting(name, in: parameters["options"]) != nil }

    /// The value of a setting in options of the server, such as `-c name=value`.
    private func setting(_ name: String, in options: String?) -> String? {
        var found: String?
        for var word in PostgresAddress.words(options ?? "") {
            for prefix in ["--", "-c"] where word.hasPrefix(prefix) { word = String(word.dropFirst(2)) }
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // The server reads `-` in a name as `_`.
            let isNamed = sides[0].lowercased().replacing("-", with: "_") == name
            if isNamed, sides.count == 2 { found = String(sides[1]) }
        }
        return found
    }

    /// The words of options; a backslash makes a space part of a word.
    private static func words(_ options: String) -> [String] {
        var (words, word, isEscaped) = ([String](), "", false)
        for character in options {
            if isEscaped || (character != "\\" && !character.isWhitespace) {
                word.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// The text after the scheme.
    private static func body(of text: String) -> String? {
        let schemes = ["postgres://", "postgresql://"]
        let scheme = schemes.first { text.prefix($0.count).lowercased() == $0 }
        return scheme.map { String(text.dropFirst($0.count)) }
    }

    /// What is wrong with the text after the scheme where libpq would find another host, or quote the password.
    private static func flaw(in body: String) -> String? {
        let bytes = Array(body.utf8)
        if bytes.contains(0) { return "the address contains U+0000" }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            let digits = bytes[(index + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
                return "a % of the address is not followed by two hexadecimal digits; write % itself as %25"
            }
            if digits.allSatisfy({ $0 == UInt8(ascii: "0") }) { return "the address contains U+0000 as %00" }
        }
        // libpq takes what precedes the first @ as user and password, unless a slash precedes it.
        let at = UInt8(ascii: "@")
        let user = bytes.prefix { $0 != at && $0 != UInt8(ascii: "/") }
        let rest = user.count < bytes.count && bytes[user.count] == at ? bytes[(user.count + 1)...] : bytes[...]
        if rest.prefix(while: { $0 != UInt8(ascii: "?") }).contains(at) {
            return "an @ or a / in the user or the password of the address is not encoded; write %40 or %2F"
        }
        return nil
    }
}

extension PostgresAddress: CustomStringConvertible, CustomReflectable {
    /// The address without any password.
    public var description: String {
        var text = "postgres://"
        if let user = parameters["user"] { text += PostgresAddress.encoded(user) + "@" }
        var rest = parameters.filter { !PostgresAddress.secrets.contains($0.key) }
        // A folder of a socket, or an address that is not a plain name, is a parameter.
        if let host = parameters["host"], host.unicodeScalars.allSatisfy(PostgresAddress.plain.contains) {
            text += host
            rest["host"] = nil
            if let port = parameters["port"], Int(port) != nil {
                text += ":\(port)"
                rest["port"] = nil
            }
        }
        if let database = parameters["dbname"] { text += "/" + PostgresAddress.encoded(database) }
        rest["user"] = nil
        rest["dbname"] = nil
        let query = rest.sorted { $0.key < $1.key }.map { "\($0.key)=\(PostgresAddress.encoded($0.value))" }
        return query.isEmpty ? text : text + "?" + query.joined(separator: "&")
    }

    /// The description alone; a mirror of the properties would show the password.
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    private static let secrets: Set<String> = ["password", "sslpassword"]

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
