// Records and their sources, models and stores come with it.
@_exported public import TributaryJSON
@_exported public import TributaryStore
