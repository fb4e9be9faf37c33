/// Stops the program with a message if a condition does not hold, which is a programming error.
///
/// Unlike `precondition`, it prints the message in release builds as well.
@inline(__always)
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
