/* The workload of TinyXML-2: makes a document, prints it, parses it, and walks over it. */
#include <cstdio>
#include <cstring>
#include <tinyxml2.h>

#include "tests/bench/planted/random.h"

using namespace tinyxml2;

static const int records = 150;

static void make_document(XMLDocument *document)
{
	XMLElement *list = document->NewElement("list");
	uint32_t state = 1;

	document->InsertEndChild(list);
	for (int i = 0; i < records; i++) {
		char text[60];
		uint32_t number = next_random(&state);
		XMLElement *record = document->NewElement("record");
		snprintf(text, sizeof text, "some <text> & \"more\" %u", (unsigned)number);
		record->SetAttribute("id", i);
		record->SetAttribute("number", (unsigned)number);
		record->SetAttribute("ratio", number / 8.0);
		record->SetAttribute("text", text);
		XMLElement *child = document->NewElement("text");
		child->SetText(text);
		record->InsertEndChild(child);
		record->InsertEndChild(document->NewComment(" a comment "));
		list->InsertEndChild(record);
	}
}

class Counter : public XMLVisitor {
    public:
	size_t elements = 0, length = 0;
	bool VisitEnter(const XMLElement &element, const XMLAttribute *first) override
	{
		elements += strlen(element.Name()) > 4;
		for (; first; first = first->Next())
			length += strlen(first->Value());
		return true;
	}
	bool Visit(const XMLText &text) override
	{
		length += strlen(text.Value());
		return true;
	}
};

int main()
{
	XMLDocument made, parsed;
	XMLPrinter printer, compact(nullptr, true);
	Counter counter;
	double sum = 0;

	make_document(&made);
	made.Print(&printer);
	if (parsed.Parse(printer.CStr()) != XML_SUCCESS)
		return 1;
	for (const XMLElement *e = parsed.FirstChildElement("list")->FirstChildElement("record"); e;
	     e = e->NextSiblingElement("record"))
		sum += e->DoubleAttribute("ratio") + e->IntAttribute("id");
	parsed.Accept(&counter);
	parsed.Print(&compact);
	printf("%zu %zu %.3f %d\n%s\n", counter.elements, counter.length, sum, compact.CStrSize(),
	       compact.CStr());
	return 0;
}
