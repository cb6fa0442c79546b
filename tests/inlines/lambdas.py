"""What lambdas are called, whatever the compiler: for costs.py and compare.py."""
import re

LAMBDA = re.compile(r"(?:[\w:]|\([^()]*\)| const)*(?:\{lambda[^{}]*\}|<lambda\([^()]*\)>|\$_\d+)")
CALL = re.compile(r"(operator\(\)(?:<[^()]*>)?)\([^()]*\)(?: const)?")
TYPE = re.compile(r"^[\w:&* ]+ (?=[\w:]+(?:\(|<|::))")


def has_lambda(name):
    return LAMBDA.search(name) is not None


def plain(name):
    """With {lambda} for each one and the function that it is in, without the type that is returned."""
    name = CALL.sub(r"\1", TYPE.sub("", name)).replace("long int", "long")
    return LAMBDA.sub("{lambda}", name)


def same(ours, theirs):
    """Whether both are one function but for what lambdas are called; theirs may be without its scopes."""
    if not has_lambda(ours):
        return False
    ours, theirs = plain(ours), plain(theirs)
    return ours == theirs or ours.endswith("::" + theirs)
