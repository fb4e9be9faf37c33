// Models and filters come with the objects that they describe.
@_exported public import TributaryModel
