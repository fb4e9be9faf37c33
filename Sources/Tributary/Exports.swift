// One import is enough: records and their sources, models, objects and contexts come with it.
@_exported public import TributaryGraph
@_exported public import TributaryImport
@_exported public import TributaryJSON
