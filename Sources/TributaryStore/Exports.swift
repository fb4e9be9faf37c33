// Models and filters come with the tables that they describe.
@_exported public import TributaryModel
