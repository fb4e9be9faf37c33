package import TributaryGraph

/// A person with an age, which has a range and a default value.
package final class Reader: Person {
    @Attribute(.range(0...150)) package var age: Int32 = 18
}
