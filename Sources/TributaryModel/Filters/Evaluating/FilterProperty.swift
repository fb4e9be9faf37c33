/// The value of a key of a subject.
public enum FilterProperty {
    /// The value of an attribute.
    case value(FilterValue)
    /// The destination of a to-one relationship.
    case one((any FilterSubject)?)
    /// The destinations of a to-many relationship.
    case many([any FilterSubject])
}
