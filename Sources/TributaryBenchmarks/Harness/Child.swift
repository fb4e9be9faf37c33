import CTributaryTwins
import Foundation

/// A process of its own, whose time and memory are its own too.
enum Child {
    /// Runs a program to its end; what it prints goes into the file `output`.
    static func run(_ words: [String], output: String) -> twin_child {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        return twin_run_child(words[0], &arguments, output)
    }
}
