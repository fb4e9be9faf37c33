import Foundation
import Tributary

/// Reads commands from standard input, and carries them out on a shelf of books.
@main
struct Bookshelf {
    private static let help = """
        import FILE        import books from JSON, and follow the import
        list               the books under their authors
        search TEXT        the books with a text in their title or author
        rename ISBN TITLE  give a book another title
        undo, redo         take the last change back, and repeat it
        save, quit
        """

    @MainActor
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            if words.count == 2, words[0] == "--first-edition" { return try FirstEdition.make(words[1]) }
            guard words.count == 1, !words[0].hasPrefix("-") else {
                print("usage: Bookshelf DATABASE, or Bookshelf --first-edition DATABASE\n\(help)")
                exit(64)
            }
            let shelf = try Shelf(words[0])
            defer { shelf.close() }
            while let line = readLine() {
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                guard let command = parts.first else { continue }
                if command == "quit" { break }
                do {
                    try await run(command, parts.count > 1 ? parts[1] : "", on: shelf)
                } catch {
                    print("error: \(error)")
                }
            }
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    @MainActor
    private static func run(_ command: String, _ argument: String, on shelf: Shelf) async throws {
        switch command {
        case "import": try await shelf.load(argument)
        case "list": try shelf.show()
        case "search": try shelf.show(argument)
        case "rename":
            let parts = argument.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return print(help) }
            try shelf.rename(parts[0], to: parts[1])
        case "undo": try shelf.undo()
        case "redo": try shelf.redo()
        case "save": try shelf.save()
        default: print(help)
        }
    }
}
