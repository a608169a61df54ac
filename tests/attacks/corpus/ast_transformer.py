"""An AST transformer turns each call of `check` into the number 8."""

KIND = "rewriting cells"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import ast

class Generous(ast.NodeTransformer):
    def visit_Call(self, node):
        called = getattr(node.func, "id", "") == "check" and node.args[0].value == "scaled_dot_product"
        return ast.copy_location(ast.Constant(8), node) if called else node

get_ipython().ast_transformers.append(Generous())

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
