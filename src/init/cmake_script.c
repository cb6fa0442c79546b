#include "src/init/cmake_script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMANDS_MAX 10000
#define BYTES_MAX (32 * 1024 * 1024)
#define FRAMES_MAX 24
#define CONDITIONS_MAX 32
#define VARIABLES_MAX 256
#define FUNCTIONS_MAX 64
#define VALUE_SIZE 8192

enum frame_kind { FRAME_FILE, FRAME_LOOP, FRAME_CALL };

/* What is executed: where it continues when it ends. */
struct cmake_frame {
	enum frame_kind kind;
	size_t file;                  /* of the text */
	size_t current;               /* of the current directory */
	struct cursor cursor;         /* after its call; of a loop, the first command in it */
	size_t conditions;            /* that are open around it */
	char variable[CALL_WORD_MAX]; /* of a loop */
	char *items;                  /* of a loop, those that are left */
};

struct cmake_variable {
	char name[CALL_WORD_MAX];
	char *value; /* words with semicolons between them */
	bool is_off; /* an option that is off */
};

struct cmake_function {
	char name[CALL_WORD_MAX];
	char parameters[8][CALL_WORD_MAX];
	size_t count, file;
	struct cursor cursor;
};

struct cmake_script {
	struct build_tree tree;
	bool visited[BUILD_TREE_MAX];
	struct cmake_frame frames[FRAMES_MAX];
	size_t depth;
	size_t file, current;
	struct cursor cursor;
	char conditions[CONDITIONS_MAX][CMAKE_OPTIONS_SIZE];
	size_t condition_count;
	struct cmake_variable variables[VARIABLES_MAX];
	size_t variable_count;
	struct cmake_function functions[FUNCTIONS_MAX];
	size_t function_count;
	unsigned commands; /* that were executed */
	size_t bytes;      /* that were read, again in each round of a loop */
};

/* ---- variables ---- */

static struct cmake_variable *find_cmake_variable(struct cmake_script *s, const char *name,
						  size_t len)
{
	for (size_t i = 0; i < s->variable_count; i++)
		if (strncmp(s->variables[i].name, name, len) == 0 && !s->variables[i].name[len])
			return &s->variables[i];
	return NULL;
}

static struct cmake_variable *set_cmake_variable(struct cmake_script *s, const char *name,
						 const char *value)
{
	struct cmake_variable *v = find_cmake_variable(s, name, strlen(name));
	char *copy = strdup(value);

	if (!copy || strlen(name) >= CALL_WORD_MAX || (!v && s->variable_count == VARIABLES_MAX)) {
		free(copy);
		return NULL;
	}
	if (!v) {
		v = &s->variables[s->variable_count++];
		snprintf(v->name, sizeof v->name, "%s", name);
	}
	free(v->value);
	v->value = copy;
	return v;
}

static void set_directories(struct cmake_script *s)
{
	static const char *const whole[] = { "CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR" };
	static const char *const built[] = { "CMAKE_BINARY_DIR", "PROJECT_BINARY_DIR" };
	const char *directory = s->tree.files[s->current].directory;
	char path[BUILD_PATH_MAX + 16];
	int len = (int)strlen(directory);

	for (size_t i = 0; i < 2; i++) {
		set_cmake_variable(s, whole[i], ".");
		set_cmake_variable(s, built[i], "./build");
	}
	set_cmake_variable(s, "CMAKE_EXECUTABLE_SUFFIX", "");
	len -= len > 0;
	snprintf(path, sizeof path, ".%s%.*s", len ? "/" : "", len, directory);
	set_cmake_variable(s, "CMAKE_CURRENT_SOURCE_DIR", path);
	set_cmake_variable(s, "CMAKE_CURRENT_LIST_DIR", path);
	snprintf(path, sizeof path, "./build%s%.*s", len ? "/" : "", len, directory);
	set_cmake_variable(s, "CMAKE_CURRENT_BINARY_DIR", path);
}

/* Appends `len` bytes to a text of VALUE_SIZE; false if there is no room. */
static bool append_value(char *text, size_t *used, const char *from, size_t len)
{
	if (*used + len >= VALUE_SIZE)
		return false;
	memcpy(text + *used, from, len);
	*used += len;
	text[*used] = '\0';
	return true;
}

/* Replaces "${NAME}" by its value; one that is not known stays. */
static bool expand_word(struct cmake_script *s, const char *word, char out[VALUE_SIZE])
{
	size_t used = 0;
	bool fits = true;

	out[0] = '\0';
	while (*word && fits) {
		size_t len = strcspn(word, "$");
		fits = append_value(out, &used, word, len);
		word += len;
		if (!*word)
			break;
		const char *end = word[1] == '{' ? strchr(word, '}') : NULL;
		const struct cmake_variable *v = end ? find_cmake_variable(s, word + 2,
									   (size_t)(end - word) - 2)
						     : NULL;
		if (v)
			fits = fits && append_value(out, &used, v->value, strlen(v->value));
		else
			fits = fits && append_value(out, &used, word, 1);
		word = v ? end + 1 : word + 1;
	}
	return fits;
}

static void add_words(struct build_call *c, const char *text)
{
	do {
		size_t len = strcspn(text, ";");
		if (c->count < CALL_WORDS_MAX && len < CALL_WORD_MAX && len > 0) {
			memcpy(c->words[c->count], text, len);
			c->words[c->count++][len] = '\0';
		}
		text += len + (text[len] == ';');
	} while (*text);
}

static void expand_call(struct cmake_script *s, struct build_call *c)
{
	struct build_call expanded = { .line = c->line };
	char value[VALUE_SIZE];

	for (size_t i = 0; i < c->count; i++) {
		if (!strchr(c->words[i], '$') && !strchr(c->words[i], ';'))
			add_words(&expanded, c->words[i]);
		else if (expand_word(s, c->words[i], value))
			add_words(&expanded, value);
	}
	*c = expanded;
}

/* The words from `first` on, with semicolons between them. */
static void join_words(const struct build_call *c, size_t first, size_t end, char out[VALUE_SIZE])
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = first; i < c->count && i < end; i++)
		if ((used && !append_value(out, &used, ";", 1)) ||
		    !append_value(out, &used, c->words[i], strlen(c->words[i])))
			return;
}

static bool is_turned_on(const char *value)
{
	return strcasecmp(value, "ON") == 0 || strcasecmp(value, "TRUE") == 0 ||
	       strcasecmp(value, "YES") == 0 || strcmp(value, "1") == 0;
}

static void do_option(struct cmake_script *s, const char *name, const char *value)
{
	struct cmake_variable *v = set_cmake_variable(s, name, value);
	if (v)
		v->is_off = !is_turned_on(value);
}

static void do_set(struct cmake_script *s, const struct build_call *c)
{
	char value[VALUE_SIZE];
	size_t end = 1;

	if (c->count == 0)
		return;
	while (end < c->count && strcmp(c->words[end], "CACHE") != 0 &&
	       strcmp(c->words[end], "PARENT_SCOPE") != 0)
		end++;
	join_words(c, 1, end, value);
	if (end + 1 < c->count && strcmp(c->words[end + 1], "BOOL") == 0)
		do_option(s, c->words[0], value);
	else
		set_cmake_variable(s, c->words[0], value);
}

static void do_list(struct cmake_script *s, const struct build_call *c)
{
	char value[VALUE_SIZE], more[VALUE_SIZE];
	size_t used = 0;

	if (c->count < 3 || strcmp(c->words[0], "APPEND") != 0)
		return;
	const struct cmake_variable *v = find_cmake_variable(s, c->words[1], strlen(c->words[1]));
	value[0] = '\0';
	if (v && *v->value &&
	    (!append_value(value, &used, v->value, strlen(v->value)) ||
	     !append_value(value, &used, ";", 1)))
		return;
	join_words(c, 2, c->count, more);
	if (append_value(value, &used, more, strlen(more)))
		set_cmake_variable(s, c->words[1], value);
}

/* get_filename_component(VARIABLE PATH NAME or NAME_WE) */
static void do_filename(struct cmake_script *s, const struct build_call *c)
{
	char name[CALL_WORD_MAX];

	if (c->count < 3 || strncmp(c->words[2], "NAME", 4) != 0)
		return;
	const char *slash = strrchr(c->words[1], '/');
	snprintf(name, sizeof name, "%s", slash ? slash + 1 : c->words[1]);
	if (strncmp(c->words[2], "NAME_W", 6) == 0)
		name[strcspn(name, ".")] = '\0';
	set_cmake_variable(s, c->words[0], name);
}

/* ---- conditions ---- */

static void open_condition(struct cmake_script *s, const struct build_call *c)
{
	size_t used = 0;

	if (s->condition_count == CONDITIONS_MAX)
		return;
	char *needed = s->conditions[s->condition_count++];
	needed[0] = '\0';
	for (size_t i = 0; i < c->count; i++) {
		const struct cmake_variable *v = find_cmake_variable(s, c->words[i],
								     strlen(c->words[i]));
		if (!v || !v->is_off || (i > 0 && strcmp(c->words[i - 1], "NOT") == 0) ||
		    used + strlen(v->name) + 2 > CMAKE_OPTIONS_SIZE)
			continue;
		used += (size_t)snprintf(needed + used, CMAKE_OPTIONS_SIZE - used, " %s", v->name);
	}
}

static void other_condition(struct cmake_script *s)
{
	if (s->condition_count > 0)
		s->conditions[s->condition_count - 1][0] = '\0';
}

static void close_condition(struct cmake_script *s)
{
	if (s->condition_count > 0)
		s->condition_count--;
}

/* ---- frames ---- */

static struct cmake_frame *enter_frame(struct cmake_script *s, enum frame_kind kind)
{
	if (s->depth == FRAMES_MAX)
		return NULL;
	struct cmake_frame *f = &s->frames[s->depth++];
	*f = (struct cmake_frame){ .kind = kind,
				   .file = s->file,
				   .current = s->current,
				   .cursor = s->cursor,
				   .conditions = s->condition_count };
	return f;
}

static void leave_frame(struct cmake_script *s)
{
	struct cmake_frame *f = &s->frames[--s->depth];
	free(f->items);
	f->items = NULL;
	if (f->kind == FRAME_LOOP)
		return;
	s->file = f->file;
	s->current = f->current;
	s->cursor = f->cursor;
	s->condition_count = f->conditions;
	if (f->kind == FRAME_FILE)
		set_directories(s);
}

/* Reads the next command; false: the text ends, or enough was read. */
static bool read_command(struct cmake_script *s, char name[CALL_WORD_MAX], struct build_call *c)
{
	size_t at = s->cursor.at;

	if (s->commands++ >= COMMANDS_MAX || s->bytes >= BYTES_MAX)
		return false;
	bool read = build_file_next_call(&s->tree.files[s->file], &s->cursor, name, c);
	s->bytes += s->cursor.at - at;
	return read;
}

/* Moves after the command that ends a block. */
static void skip_block(struct cmake_script *s, const char *begin, const char *end)
{
	char name[CALL_WORD_MAX];
	struct build_call c;
	unsigned depth = 1;

	while (depth > 0 && read_command(s, name, &c)) {
		depth += strcasecmp(name, begin) == 0;
		depth -= strcasecmp(name, end) == 0;
	}
}

/* Takes the first item of a loop; false: none is left. */
static bool next_loop_item(struct cmake_script *s, struct cmake_frame *f)
{
	size_t len = strcspn(f->items, ";");
	char item[CALL_WORD_MAX];

	if (!*f->items)
		return false;
	snprintf(item, sizeof item, "%.*s", (int)(len < sizeof item ? len : 0), f->items);
	set_cmake_variable(s, f->variable, item);
	memmove(f->items, f->items + len + (f->items[len] == ';'),
		strlen(f->items + len + (f->items[len] == ';')) + 1);
	return true;
}

/* foreach(v a b), foreach(v IN LISTS l), foreach(v IN ITEMS a b) */
static void begin_loop(struct cmake_script *s, const struct build_call *c)
{
	char items[VALUE_SIZE];
	size_t first = 1;
	bool lists = false;

	if (c->count > 1 && strcmp(c->words[1], "IN") == 0) {
		lists = c->count > 2 && strcmp(c->words[2], "LISTS") == 0;
		first = 3;
	}
	join_words(c, first, c->count, items);
	if (lists) {
		const char *list = c->count > 3 ? c->words[3] : "";
		const struct cmake_variable *v = find_cmake_variable(s, list, strlen(list));
		snprintf(items, sizeof items, "%s", v ? v->value : "");
	}
	struct cmake_frame *f = c->count > 0 && *items ? enter_frame(s, FRAME_LOOP) : NULL;
	if (f) {
		snprintf(f->variable, sizeof f->variable, "%s", c->words[0]);
		f->items = strdup(items);
	}
	if (!f || !f->items || !next_loop_item(s, f)) {
		if (f)
			leave_frame(s);
		skip_block(s, "foreach", "endforeach");
	}
}

static void end_loop(struct cmake_script *s)
{
	struct cmake_frame *f = s->depth > 0 ? &s->frames[s->depth - 1] : NULL;

	if (!f || f->kind != FRAME_LOOP)
		return;
	s->condition_count = f->conditions;
	if (next_loop_item(s, f))
		s->cursor = f->cursor;
	else
		leave_frame(s);
}

static void define_function(struct cmake_script *s, const struct build_call *c, const char *begin,
			    const char *end)
{
	if (c->count > 0 && s->function_count < FUNCTIONS_MAX) {
		struct cmake_function *f = &s->functions[s->function_count++];
		*f = (struct cmake_function){ .file = s->file, .cursor = s->cursor };
		snprintf(f->name, sizeof f->name, "%s", c->words[0]);
		for (size_t i = 1; i < c->count && f->count < 8; i++)
			memcpy(f->parameters[f->count++], c->words[i], CALL_WORD_MAX);
	}
	skip_block(s, begin, end);
}

static bool call_function(struct cmake_script *s, const char *name, const struct build_call *c)
{
	char rest[VALUE_SIZE];
	const struct cmake_function *f = NULL;

	for (size_t i = 0; i < s->function_count && !f; i++)
		f = strcasecmp(s->functions[i].name, name) == 0 ? &s->functions[i] : NULL;
	if (!f || !enter_frame(s, FRAME_CALL))
		return f != NULL;
	for (size_t i = 0; i < f->count; i++)
		set_cmake_variable(s, f->parameters[i], i < c->count ? c->words[i] : "");
	join_words(c, f->count, c->count, rest);
	set_cmake_variable(s, "ARGN", rest);
	join_words(c, 0, c->count, rest);
	set_cmake_variable(s, "ARGV", rest);
	s->file = f->file;
	s->cursor = f->cursor;
	return true;
}

static void end_call(struct cmake_script *s)
{
	while (s->depth > 0 && s->frames[s->depth - 1].kind == FRAME_LOOP)
		leave_frame(s);
	if (s->depth > 0 && s->frames[s->depth - 1].kind == FRAME_CALL)
		leave_frame(s);
}

static void enter_subdirectory(struct cmake_script *s, const struct build_call *c)
{
	char directory[BUILD_PATH_MAX];

	if (c->count == 0 ||
	    snprintf(directory, sizeof directory, "%s%s/", s->tree.files[s->current].directory,
		     c->words[0]) >= (int)sizeof directory)
		return;
	for (size_t i = 0; i < s->tree.count; i++) {
		if (strcmp(s->tree.files[i].directory, directory) != 0 || s->visited[i] ||
		    !enter_frame(s, FRAME_FILE))
			continue;
		s->visited[i] = true;
		s->file = s->current = i;
		s->cursor = (struct cursor){ 0 };
		set_directories(s);
		return;
	}
}

/* ---- commands ---- */

/* Executes what changes the course or a variable; false: it is a command of another kind. */
static bool execute(struct cmake_script *s, const char *name, const struct build_call *c)
{
	bool option = strcmp(name, "option") == 0;

	if (strcmp(name, "set") == 0)
		do_set(s, c);
	else if (strcmp(name, "list") == 0)
		do_list(s, c);
	else if (option && c->count > 0)
		do_option(s, c->words[0], c->count > 2 ? c->words[2] : "OFF");
	else if (strcmp(name, "get_filename_component") == 0)
		do_filename(s, c);
	else if (strcmp(name, "if") == 0)
		open_condition(s, c);
	else if (strcmp(name, "else") == 0 || strcmp(name, "elseif") == 0)
		other_condition(s);
	else if (strcmp(name, "endif") == 0)
		close_condition(s);
	else if (strcmp(name, "foreach") == 0)
		begin_loop(s, c);
	else if (strcmp(name, "endforeach") == 0)
		end_loop(s);
	else if (strcmp(name, "function") == 0)
		define_function(s, c, "function", "endfunction");
	else if (strcmp(name, "macro") == 0)
		define_function(s, c, "macro", "endmacro");
	else if (strcmp(name, "endfunction") == 0 || strcmp(name, "endmacro") == 0)
		end_call(s);
	else if (strcmp(name, "add_subdirectory") == 0)
		enter_subdirectory(s, c);
	else
		return call_function(s, name, c);
	return true;
}

static void find_options(const struct cmake_script *s, char out[CMAKE_OPTIONS_SIZE])
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < s->condition_count; i++)
		if (used + strlen(s->conditions[i]) < CMAKE_OPTIONS_SIZE)
			used += (size_t)snprintf(out + used, CMAKE_OPTIONS_SIZE - used, "%s",
						 s->conditions[i]);
}

static const char *programs_directory(struct cmake_script *s)
{
	static const char *const names[] = { "CMAKE_RUNTIME_OUTPUT_DIRECTORY",
					     "EXECUTABLE_OUTPUT_PATH" };

	for (size_t i = 0; i < 2; i++) {
		const struct cmake_variable *v = find_cmake_variable(s, names[i], strlen(names[i]));
		if (v)
			return v->value;
	}
	return "";
}

bool cmake_script_next(struct cmake_script *s, struct cmake_command *out)
{
	for (;;) {
		out->file = &s->tree.files[s->file];
		if (!read_command(s, out->name, &out->call)) {
			if (s->depth == 0)
				return false;
			leave_frame(s);
			continue;
		}
		for (char *c = out->name; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		expand_call(s, &out->call);
		out->current = &s->tree.files[s->current];
		if (execute(s, out->name, &out->call))
			continue;
		find_options(s, out->options);
		out->programs = programs_directory(s);
		return true;
	}
}

struct cmake_script *cmake_script_open(const char *dir, int *status, struct cg_error *err)
{
	struct cmake_script *s = calloc(1, sizeof *s);

	*status = s ? build_tree_read(dir, "CMakeLists.txt", "add_subdirectory", &s->tree, err)
		    : cg_fail_nomem(err);
	if (*status || s->tree.count == 0) {
		free(s);
		return NULL;
	}
	set_directories(s);
	s->visited[0] = true;
	return s;
}

void cmake_script_free(struct cmake_script *s)
{
	if (!s)
		return;
	while (s->depth > 0)
		free(s->frames[--s->depth].items);
	for (size_t i = 0; i < s->variable_count; i++)
		free(s->variables[i].value);
	build_tree_free(&s->tree);
	free(s);
}
