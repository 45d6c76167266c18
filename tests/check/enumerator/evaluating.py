"""Expressions of random setups: the part of them that reads the same in Python, evaluated node by node."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


@cache
def parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def evaluate(text: str, lookup: Callable[[str], Any]) -> Any:
    """Return what an expression comes to; names and functions are looked up only where they are needed."""
    return _value(parsed(text), lookup)


def _value(node: ast.expr, lookup: Callable[[str], Any]) -> Any:
    def of(inner: ast.expr) -> Any:
        return _value(inner, lookup)

    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return lookup(name)
        case ast.Attribute(value=owner, attr=name):
            return of(owner)[name]
        case ast.List(elts=entries):
            return [of(entry) for entry in entries]
        case ast.BinOp(left=left, op=sign, right=right):
            return _OPERATORS[type(sign)](of(left), of(right))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not of(operand)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(of(value) for value in values)
        case ast.BoolOp(values=values):
            return any(of(value) for value in values)
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            return _OPERATORS[type(sign)](of(left), of(right))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            return lookup(name)(*map(of, arguments), **{str(word.arg): of(word.value) for word in keywords})
    raise AssertionError(f"no such expression is made: {ast.dump(node)}")


def named_places(text: str) -> set[str]:
    """Return the names an expression has, and the places that its calls look at, but for those of everybody's cards."""
    names = set()
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in ("total", "removed"):
            names |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return names
