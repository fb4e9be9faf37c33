import Foundation
import Tributary

/// Prints a page of HTML that shows what is in a dump.
@main
struct ProfilePage {
    static func main() {
        let files = CommandLine.arguments.dropFirst().map { FileSource($0) }
        guard !files.isEmpty else {
            print("usage: ProfilePage FILE... > profile.html")
            exit(64)
        }
        do {
            // One pass over all files, whose memory does not grow with them.
            print(ProfilePage(profile: try DumpProfile(of: files)).html)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    let profile: DumpProfile

    private var html: String {
        let title = Self.escape(profile.sources.map(\.name).joined(separator: ", "))
        return """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>
            :root { color-scheme: light dark }
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
            table { border-collapse: collapse; width: 100% }
            th, td { border-top: 1px solid #8885; padding: .3rem .6rem; text-align: left; vertical-align: top }
            td { overflow-wrap: anywhere }
            .number { text-align: right; white-space: nowrap }
            </style>
            <h1>\(title)</h1>
            \(facts.map { "<p>\(Self.escape($0))</p>" }.joined(separator: "\n"))
            <table>
            <tr><th>Path</th><th class="number">Filled</th><th>Kind</th><th class="number">Distinct</th>\
            <th>Range</th><th>Top values</th></tr>
            \(PathRow.all(inside: profile.records).map(row).joined(separator: "\n"))
            </table>
            </html>
            """
    }

    /// What is said about the dump as a whole.
    private var facts: [String] {
        var facts = ["\(profile.recordCount) records in \(profile.bytes) bytes"]
        facts += profile.sources.map { "\($0.name): \($0.layout)" }
        if case .member(let name) = profile.key(of: [])?.path.last { facts.append("The key of a record is \(name).") }
        if profile.damage.count > 0 { facts.append("Places that could not be read: \(profile.damage.count)") }
        if let end = profile.damage.end { facts.append("The rest was not read: \(end)") }
        return facts
    }

    private func row(_ row: PathRow) -> String {
        let top = row.top.map { "\(Self.escape($0.value)) \(Self.percent($0.share))" }.joined(separator: " · ")
        return """
            <tr><th scope="row">\(Self.escape(row.path))</th><td class="number">\(Self.percent(row.filled))</td>\
            <td>\(row.kinds)</td><td class="number">\(row.distinct)</td><td>\(Self.escape(row.range))</td>\
            <td>\(top)</td></tr>
            """
    }

    private static func percent(_ share: Double) -> String {
        share > 0 && share < 0.01 ? "&lt;1 %" : "\(Int((share * 100).rounded(.down))) %"
    }

    /// Text of the dump, which must not become markup.
    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
