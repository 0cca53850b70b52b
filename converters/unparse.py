"""stub"""

import ast


def unparse(tree):
    return ast.unparse(ast.fix_missing_locations(tree))
