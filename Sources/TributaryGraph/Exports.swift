// Stores, models and filters come with the objects that they hold.
@_exported public import TributaryStore
