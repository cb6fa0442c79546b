"""The mutants of a C source: small changes, each of which a test has to notice.

A mutant is a span of the text and what takes its place. Comments, strings and what the preprocessor
reads are left alone, but for the numbers of #define.
"""
import re
from collections import namedtuple

TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<directive>(?<![^\n])[ \t]*#(?:\\\n|[^\n])*)"
    r"|(?P<text>L?\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|[0-9a-zA-Z_.])*)"
    r"|(?P<word>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<sign>->|\+\+|--|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\.\.\.|.)",
    re.DOTALL)
DEFINED_NUMBER = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+[ \t]+(?:U?INT(?:32|64)_C\()?([0-9]\w*)\)?[ \t]*$")

# What is not freed is noticed by those who look for leaks (tests/leaks.sh), and by no result.
FREES = re.compile(r"(?:\w+_)?free$")

Token = namedtuple("Token", "kind text start end")
Mutant = namedtuple("Mutant", "start end text operator")

COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
               "==": ("!=",), "!=": ("==",)}
SIGNS = {"&&": ("||",), "||": ("&&",), "/": ("*",), "%": ("*",), "<<": (">>",), ">>": ("<<",),
         "++": ("--",), "--": ("++",), "+=": ("-=",), "-=": ("+=",), "|=": ("=",), "&=": ("=",)}
BINARY = {"+": ("-",), "-": ("+",), "*": ("/",), "&": ("|",), "|": ("&",)}
# What is told apart everywhere here, and easily taken for the other.
WORDS = {"true": "false", "false": "true", "BASE": "HEAD", "HEAD": "BASE", "base": "head", "head": "base"}
TYPES = {"char", "int", "long", "short", "unsigned", "signed", "float", "double", "void", "bool", "struct",
         "enum", "union", "const", "volatile", "static", "extern", "inline", "register", "typedef", "auto"}
KEYWORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue",
            "goto", "sizeof"}


def tokens_of(source):
    found = []
    for match in TOKEN.finditer(source):
        kind = match.lastgroup
        if kind == "directive":
            number = DEFINED_NUMBER.match(match.group())
            if number:
                at = match.start()
                found.append(Token("defined", number.group(1), at + number.start(1), at + number.end(1)))
        elif kind != "skip":
            found.append(Token(kind, match.group(), match.start(), match.end()))
    return found


def pairs_of(tokens):
    """Of each opening bracket where it is closed, and the other way round."""
    pairs, opened = {}, []
    for i, token in enumerate(tokens):
        if token.kind == "sign" and token.text in "([{":
            opened.append(i)
        elif token.kind == "sign" and token.text in ")]}" and opened:
            pairs[i] = opened.pop()
            pairs[pairs[i]] = i
    return pairs


def is_type(token):
    return token.kind == "word" and (token.text in TYPES or token.text.endswith("_t"))


def is_operand(token):
    if token.kind == "word":
        return token.text not in KEYWORDS and not is_type(token)
    return token.kind == "number" or token.text in (")", "]")


def numbers(text):
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", text)
    if not match:
        return
    value, suffix = int(match.group(1), 0), match.group(2)
    yield (str(1 - value) if value < 2 else str(value + 1)) + suffix


def is_pointer(tokens, i):
    """"struct side *s", "const char *a": what is a declaration for sure."""
    return tokens[i].text == "*" and i > 1 and tokens[i - 2].text in ("struct", "enum", "union", "const")


def change_token(tokens, i):
    """What may stand in place of one token."""
    token = tokens[i]
    before = tokens[i - 1] if i else None
    if token.kind in ("number", "defined"):
        for text in numbers(token.text):
            yield text, "constant"
    elif token.kind == "word":
        is_member = before is not None and before.text in (".", "->")
        if token.text in WORDS and (is_member or token.text not in ("base", "head")):
            yield WORDS[token.text], "constant" if token.text in ("true", "false") else "side"
    elif token.kind == "sign":
        for text in COMPARISONS.get(token.text, ()):
            yield text, "comparison"
        for text in SIGNS.get(token.text, ()):
            yield text, "operator"
        if token.text in BINARY and before is not None and is_operand(before) and not is_pointer(tokens, i):
            for text in BINARY[token.text]:
                yield text, "operator"
        if token.text == "!":
            yield "", "negation"


def statement_starts(tokens, pairs):
    """Where a statement in a function begins: after another, or after what decides about it."""
    depth = in_parentheses = 0
    for i, token in enumerate(tokens):
        if token.kind == "sign":
            in_parentheses += (token.text == "(") - (token.text == ")")
        if depth > 0 and not in_parentheses and token.kind == "word":
            before = tokens[i - 1]
            opened = pairs.get(i - 1)
            controlled = before.text == ")" and opened and tokens[opened - 1].text in ("if", "for", "while", "switch")
            if before.text in (";", "{", "}", "else", "do") or controlled:
                yield i
            elif before.text == ":" and any(t.text in ("case", "default") for t in tokens[max(0, i - 4):i]):
                yield i
        if token.text == "{" and token.kind == "sign":
            depth += 1
        elif token.text == "}" and token.kind == "sign":
            depth -= 1


def end_of_statement(tokens, pairs, i):
    while i < len(tokens) and tokens[i].text not in (";", "{", "}"):
        i = pairs[i] + 1 if tokens[i].text in ("(", "[") and i in pairs else i + 1
    return i if i < len(tokens) and tokens[i].text == ";" else None


def is_declaration(tokens, i):
    if is_type(tokens[i]):
        return True
    after = tokens[i + 1]
    stars = i + 1
    while tokens[stars].text == "*":
        stars += 1
    # "cg_str id", "FILE *f = ...": without a type of its own nothing can be multiplied for its own sake.
    return after.kind == "word" or stars > i + 1


def change_statement(tokens, pairs, i):
    token = tokens[i]
    if token.text in ("if", "while") and tokens[i + 1].text == "(" and i + 1 in pairs:
        first, last = tokens[i + 1], tokens[pairs[i + 1]]
        yield first.end, first.end, "!(", "condition", last.start, ")"
        return
    end = end_of_statement(tokens, pairs, i)
    if end is None:
        return
    if token.text == "return":
        if end > i + 1:
            yield tokens[i + 1].start, tokens[i + 1].start, "!(", "return", tokens[end].start, ")"
    elif token.text in ("break", "continue", "goto"):
        yield token.start, tokens[end].end, ";", "removal", None, None
    elif token.text not in KEYWORDS and not is_declaration(tokens, i) and not FREES.match(token.text):
        yield token.start, tokens[end].end, ";", "removal", None, None


def mutants_of(source):
    tokens = tokens_of(source)
    pairs = pairs_of(tokens)
    found = []
    for i, token in enumerate(tokens):
        for text, operator in change_token(tokens, i):
            found.append(Mutant(token.start, token.end, text, operator))
    for i in statement_starts(tokens, pairs):
        for start, end, text, operator, closed, closing in change_statement(tokens, pairs, i):
            if closed is not None:
                text, end = text + source[start:closed] + closing, closed
            found.append(Mutant(start, end, text, operator))
    return found


def apply(source, mutant):
    return source[:mutant.start] + mutant.text + source[mutant.end:]


def shown(source, mutant):
    """The lines that a mutant changes, as they were and as they are, without their indentation."""
    first = source.rfind("\n", 0, mutant.start) + 1
    last = source.find("\n", mutant.end)
    last = len(source) if last < 0 else last
    after = source[first:mutant.start] + mutant.text + source[mutant.end:last]
    return " ".join(source[first:last].split()), " ".join(after.split())


def line_of(source, mutant):
    return source.count("\n", 0, mutant.start) + 1
