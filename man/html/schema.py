"""A JSON schema as a page for people: every key with its type, whether it is required, and what it means."""
import html
import re

KINDS = {"const": "always {}", "minimum": "at least {}", "maximum": "at most {}", "minLength": "at least {} characters",
         "maxLength": "at most {} characters", "minItems": "at least {} items", "maxItems": "at most {} items",
         "minProperties": "at least {} keys", "maxProperties": "at most {} keys"}


def code(value):
    """A value as JSON writes it."""
    words = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
    return f"<code>{html.escape(text)}</code>"


def prose(text):
    return f"<p>{html.escape(text)}</p>" if text else ""


def anchor(*path):
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", "-".join(path)).strip("-").lower()


def reference(pointer):
    """'#/$defs/cost' as a link to the section of cost; '#' is the whole, and other files are pages of their own."""
    if pointer == "#":
        return '<a href="#content">the whole document</a>'
    path, _, part = pointer.partition("#")
    name = part.rsplit("/", 1)[-1]
    page = re.sub(r"(\.schema)?\.json$", ".html", path.rsplit("/", 1)[-1]) if path else ""
    if not part:
        return f'<a href="{html.escape(page)}">{html.escape(page[:-len(".html")])}</a>'
    return f'<a href="{html.escape(page)}#{anchor("type", name)}">{html.escape(name)}</a>'


def type_names(schema):
    types = schema.get("type", [])
    return [types] if isinstance(types, str) else list(types)


def kind(schema):
    """What a value is, in a few words: 'integer or null, at least 0'."""
    if schema is True or schema == {}:
        return "anything"
    if schema is False:
        return "not allowed"
    if "$ref" in schema:
        return reference(schema["$ref"])
    names = [html.escape(name) for name in type_names(schema)]
    items = schema.get("items")
    if "array" in names and isinstance(items, dict):
        names[names.index("array")] = f"array of {'objects' if 'properties' in items else kind(items)}"
    if "enum" in schema:
        names = ["one of " + ", ".join(code(value) for value in schema["enum"])]
    for key in ("anyOf", "oneOf"):
        if key in schema and not names:
            names = [inline_kind(choice) for choice in schema[key]]
    words = [" or ".join(dict.fromkeys(names))] if names else ["object"] if "properties" in schema else []
    words += [text.format(code(schema[key])) for key, text in KINDS.items() if key in schema]
    if "pattern" in schema:
        words.append(f"matches {code(schema['pattern'])}")
    return ", ".join(words) or "anything"


def inline_kind(schema):
    return "object" if isinstance(schema, dict) and "properties" in schema else kind(schema)


def nested(schema):
    """The schemas of objects inside of one that have keys of their own, with what to call them."""
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("items"), dict):
        yield "Each item", schema["items"]
    if isinstance(schema.get("additionalProperties"), dict):
        yield "Each other key", schema["additionalProperties"]
    for pattern, value in schema.get("patternProperties", {}).items():
        yield f"Each key that matches {pattern}", value
    for key in ("anyOf", "oneOf", "allOf"):
        for choice in schema.get(key, []):
            yield "", choice


def keys(schema, path):
    """The keys of an object, as a list of definitions."""
    properties = schema.get("properties", {})
    required = set(schema.get("required", []))
    rows = []
    for name, value in properties.items():
        here = (*path, name)
        word = "" if not required else " · required" if name in required else " · optional"
        rows.append(f'<dt id="{anchor("key", *here)}"><code>{html.escape(name)}</code> '
                    f'<span class="kind">{kind(value)}{word}</span></dt><dd>{describe(value, here)}</dd>')
    return f'<dl class="keys">{"".join(rows)}</dl>' if rows else ""


def describe(schema, path):
    """What a value means, and what is inside of it.."""
    if not isinstance(schema, dict):
        return ""
    parts = [prose(schema.get("description", "")), keys(schema, path)]
    for index, (title, inner) in enumerate(nested(schema)):
        text = describe(inner, (*path, str(index)))
        if not text and (not title or title == "Each item"):
            continue
        label = f'<p class="kind">{html.escape(title)}: {inline_kind(inner)}</p>' if title else ""
        parts.append(label + text)
    return "".join(parts)


def page(schema, name):
    """The body of the page of a schema, which is in the file NAME."""
    definitions = schema.get("$defs", schema.get("definitions", {}))
    parts = [f"<h1>{html.escape(schema.get('title', name))}</h1>", prose(schema.get("description", "")),
             f'<p>This page is made from <a href="../files/data/{html.escape(name)}"><code>{html.escape(name)}</code></a>, '
             "the JSON schema for editors and validators.</p>",
             '<h2 id="keys">Keys</h2>', describe({**schema, "description": ""}, ())]
    if definitions:
        parts.append('<h2 id="types">Types</h2>')
    for title, value in definitions.items():
        parts.append(f'<h3 id="{anchor("type", title)}">{html.escape(title)}</h3>'
                     f'<p class="kind">{kind(value)}</p>{describe(value, (title + "-type",))}')
    return "".join(parts)
