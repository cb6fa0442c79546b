/* The workload of pugixml: parses a document, evaluates XPath on it, changes and prints it. */
#include <cstdio>
#include <pugixml.hpp>
#include <string>

#include "tests/bench/planted/random.h"

static std::string make_document()
{
	std::string text = "<list>\n";
	uint32_t state = 1;

	for (int i = 0; i < 400; i++) {
		char record[200];
		unsigned number = next_random(&state);
		snprintf(record, sizeof record,
			 "<item id='%d' kind='k%u'>\n  <price>%u.%02u</price>\n"
			 "  <text>some &lt;text&gt; &amp; more %u</text>\n</item>\n",
			 i, number % 7, number % 100, number % 97, number);
		text += record;
	}
	return text + "</list>\n";
}

struct string_writer : pugi::xml_writer {
	std::string text;
	void write(const void *data, size_t size) override
	{
		text.append(static_cast<const char *>(data), size);
	}
};

int main()
{
	std::string text = make_document();
	pugi::xml_document document;
	string_writer writer;

	if (!document.load_string(text.c_str()))
		return 1;
	pugi::xpath_query costly("//item[price > 50 and @kind != 'k3']");
	pugi::xpath_node_set found = document.select_nodes(costly);
	found.sort();
	double sum = document.select_nodes("/list/item[position() mod 3 = 0]").size() +
		     pugi::xpath_query("sum(//price)").evaluate_number(document);
	std::string joined = pugi::xpath_query("concat(string(//item[@id = '77']/text), '!')")
				     .evaluate_string(document);
	for (pugi::xpath_node node : found) {
		node.node().append_attribute("costly").set_value(true);
		node.node().child("text").text().set("a <new> text");
	}
	for (pugi::xml_node node : document.child("list").children("item"))
		sum += node.child("price").text().as_double();
	document.save(writer);
	printf("%zu %.2f %s\n%s", found.size(), sum, joined.c_str(), writer.text.c_str());
	return 0;
}
