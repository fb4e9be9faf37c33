import Foundation

/// Reads search texts from standard input, a line each, and prints the films of each of them.
@main
struct FilmSearch {
    @MainActor
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard (1...2).contains(words.count) else {
            print("usage: FilmSearch DATABASE [DUMP]")
            exit(64)
        }
        do {
            let films = try FilmList(words[0])
            defer { films.close() }
            if words.count == 2 { try await films.load(words[1]) }
            while let text = readLine() { try films.show(text) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
