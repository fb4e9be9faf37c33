/// Stops the program with a sentence if a condition does not hold: a mistake of the programmer, which an error could not
/// mend.
///
/// The sentence is printed in release builds as well, where that of `precondition` is not.
@inline(__always)
func demand(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { fatalError(sentence()) }
}
