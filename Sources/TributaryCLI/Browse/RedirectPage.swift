import Foundation

/// A file that leads a browser to an address.
///
/// Other users can read the arguments of a program, but not this file: so the secret in the address stays one.
struct RedirectPage {
    private let path: String

    /// Writes the file, for this user only.
    init(to address: String) throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/tributary-XXXXXX.html").utf8CString)
        // The file is made with the mode 0600.
        let descriptor = mkstemps(&template, 5)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw CommandError(
                "\(path): the file for the browser cannot be written: \(String(cString: strerror(errno)))")
        }
        let text = """
            <!doctype html>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Tributary</title>
            <a href="\(address)">Open the page</a>

            """
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
    }

    /// Opens the file in the browser of the system; a failure is told on standard error.
    func open() {
        let browser = Process()
        #if canImport(Darwin)
            let program = "open"
        #else
            let program = "xdg-open"
        #endif
        browser.executableURL = URL(filePath: "/usr/bin/env")
        browser.arguments = [program, path]
        browser.standardInput = FileHandle.nullDevice
        browser.standardOutput = FileHandle.nullDevice
        browser.standardError = FileHandle.nullDevice
        browser.terminationHandler = { ended in
            guard ended.terminationStatus != 0 else { return }
            RedirectPage.tellFailure(program)
        }
        do {
            try browser.run()
        } catch {
            RedirectPage.tellFailure(program)
        }
    }

    /// Removes the file.
    func remove() { unlink(path) }

    private static func tellFailure(_ program: String) {
        var console = Console()
        console.say("'\(program)' has not started a browser; open the address above yourself")
    }
}
