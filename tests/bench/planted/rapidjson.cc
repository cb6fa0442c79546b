/* The workload of RapidJSON: parses and prints a document, as a tree and by events. */
#include <cstdio>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <string>

#include "tests/bench/planted/random.h"

using namespace rapidjson;

static std::string make_document()
{
	StringBuffer buffer;
	Writer<StringBuffer> writer(buffer);
	uint32_t state = 1;

	writer.StartArray();
	for (int i = 0; i < 150; i++) {
		uint32_t number = next_random(&state);
		writer.StartObject();
		writer.Key("id");
		writer.Int(i);
		writer.Key("number");
		writer.Uint64(static_cast<uint64_t>(number) * number);
		writer.Key("ratio");
		writer.Double(number / 8.0);
		writer.Key("text");
		writer.String(("a \"text\"\twith \u00e9 " + std::to_string(number)).c_str());
		writer.Key("flags");
		writer.StartArray();
		for (int k = 0; k < 6; k++)
			writer.Bool(number >> k & 1);
		writer.Null();
		writer.EndArray();
		writer.EndObject();
	}
	writer.EndArray();
	return buffer.GetString();
}

int main()
{
	std::string text = make_document();
	Document document;
	StringBuffer pretty, copy;
	double sum = 0;

	document.Parse(text.c_str());
	if (document.HasParseError())
		return 1;
	for (const Value &record : document.GetArray())
		sum += record["ratio"].GetDouble() + record["flags"].Size();
	PrettyWriter<StringBuffer> pretty_writer(pretty);
	document.Accept(pretty_writer);

	Reader reader;
	Writer<StringBuffer> copier(copy);
	StringStream stream(pretty.GetString());
	reader.Parse<kParseNumbersAsStringsFlag>(stream, copier);
	Document again;
	again.ParseInsitu(&text[0]);
	printf("%.3f %d\n%s\n%s\n", sum, again == document, pretty.GetString(), copy.GetString());
	return 0;
}
