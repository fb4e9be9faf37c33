import CTributaryTwins
import Foundation

/// Runs a child process, so that its time and memory are measured separately.
enum Child {
    /// Runs a program to its end, with its standard output in the file `output`.
    static func run(_ words: [String], output: String) -> twin_child {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        return twin_run_child(words[0], &arguments, output)
    }
}
