/// What stands under a key of a subject.
public enum FilterProperty {
    /// A value of an attribute.
    case value(FilterValue)
    /// The object at the end of a relationship to one.
    case one((any FilterSubject)?)
    /// The objects at the end of a relationship to many.
    case many([any FilterSubject])
}
