#include "instrument/labelling.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Sorted by name. */
static const struct {
	const char *name;
	enum role role;
} directives[] = {
    {".2byte", ROLE_DATA},	   {".4byte", ROLE_DATA},	{".8byte", ROLE_DATA},
    {".align", ROLE_PADDING},	   {".ascii", ROLE_DATA},	{".asciz", ROLE_DATA},
    {".balign", ROLE_PADDING},	   {".balignl", ROLE_PADDING},	{".balignw", ROLE_PADDING},
    {".base64", ROLE_DATA},	   {".bfloat16", ROLE_DATA},
    {".byte", ROLE_DATA},	   {".dc", ROLE_DATA},		{".dc.a", ROLE_DATA},
    {".dc.b", ROLE_DATA},	   {".dc.d", ROLE_DATA},	{".dc.l", ROLE_DATA},
    {".dc.s", ROLE_DATA},	   {".dc.w", ROLE_DATA},	{".dc.x", ROLE_DATA},
    {".dcb", ROLE_DATA},	   {".dcb.b", ROLE_DATA},	{".dcb.d", ROLE_DATA},
    {".dcb.l", ROLE_DATA},	   {".dcb.s", ROLE_DATA},	{".dcb.w", ROLE_DATA},
    {".dcb.x", ROLE_DATA},	   {".dfloat", ROLE_DATA},
    {".double", ROLE_DATA},	   {".ds", ROLE_DATA},
    {".ds.b", ROLE_DATA},	   {".ds.d", ROLE_DATA},	{".ds.l", ROLE_DATA},
    {".ds.p", ROLE_DATA},	   {".ds.s", ROLE_DATA},	{".ds.w", ROLE_DATA},
    {".ds.x", ROLE_DATA},	   {".else", ROLE_CONDITION},	{".elsec", ROLE_CONDITION},
    {".elseif", ROLE_CONDITION},   {".endc", ROLE_CONDITION},	{".endif", ROLE_CONDITION},
    {".ffloat", ROLE_DATA},	   {".fill", ROLE_DATA},	{".float", ROLE_DATA},
    {".hfloat", ROLE_DATA},	   {".hword", ROLE_DATA},
    {".if", ROLE_CONDITION},	   {".ifb", ROLE_CONDITION},	{".ifc", ROLE_CONDITION},
    {".ifdef", ROLE_CONDITION},	   {".ifeq", ROLE_CONDITION},	{".ifeqs", ROLE_CONDITION},
    {".ifge", ROLE_CONDITION},	   {".ifgt", ROLE_CONDITION},	{".ifle", ROLE_CONDITION},
    {".iflt", ROLE_CONDITION},	   {".ifnb", ROLE_CONDITION},	{".ifnc", ROLE_CONDITION},
    {".ifndef", ROLE_CONDITION},   {".ifne", ROLE_CONDITION},	{".ifnes", ROLE_CONDITION},
    {".ifnotdef", ROLE_CONDITION}, {".incbin", ROLE_DATA},	{".include", ROLE_CONDITION},
    {".insn", ROLE_DATA},	   {".int", ROLE_DATA},		{".long", ROLE_DATA},
    {".nop", ROLE_DATA},
    {".nops", ROLE_DATA},	   {".octa", ROLE_DATA},	{".org", ROLE_DATA},
    {".p2align", ROLE_PADDING},	   {".p2alignl", ROLE_PADDING}, {".p2alignw", ROLE_PADDING},
    {".quad", ROLE_DATA},	   {".short", ROLE_DATA},	{".single", ROLE_DATA},
    {".skip", ROLE_DATA},	   {".sleb128", ROLE_DATA},	{".slong", ROLE_DATA},
    {".space", ROLE_DATA},	   {".string", ROLE_DATA},	{".string16", ROLE_DATA},
    {".string32", ROLE_DATA},	   {".string64", ROLE_DATA},	{".string8", ROLE_DATA},
    {".tfloat", ROLE_DATA},	   {".uleb128", ROLE_DATA},	{".value", ROLE_DATA},
    {".word", ROLE_DATA},	   {".zero", ROLE_DATA},
};

static int compare(struct asm_text t, const char *s)
{
	int order = strncasecmp(t.p, s, t.len);

	return order ? order : -(int)(unsigned char)s[t.len];
}

/* Most directives of a compiler are .cfi_* and .loc. */
static bool surely_silent(struct asm_text name)
{
	return name.len > 4 ? !memcmp(name.p, ".cfi_", 5)
			    : name.len == 4 && !memcmp(name.p, ".loc", 4);
}

static enum role role_of_directive(struct asm_text name)
{
	size_t low = 0, high = sizeof directives / sizeof *directives;

	if (surely_silent(name))
		return ROLE_NONE;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare(name, directives[middle].name);

		if (!order)
			return directives[middle].role;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return ROLE_NONE;
}

bool sets_place(const struct asm_stmt *stmt)
{
	static const char *const setting[] = {"=", ".set", ".equ"};
	const char *p = stmt->args.p, *end = stmt->args.p + stmt->args.len;

	if (stmt->kind != ASM_DIRECTIVE || p == end || *p != '.' || !ASM_TEXT_AMONG(stmt->name, setting))
		return false;
	for (p++; p < end && isblank((unsigned char)*p); p++)
		;
	return p < end && (*p == '=' || *p == ',');
}

enum role role_of(const struct asm_stmt *stmt)
{
	if (sets_place(stmt))
		return role_of_directive((struct asm_text){".org", 4});
	switch (stmt->kind) {
	case ASM_LABEL:
		return ROLE_LABEL;
	case ASM_INSN:
		return ROLE_INSN;
	case ASM_RAW:
		return ROLE_RAW;
	case ASM_DIRECTIVE:
		return role_of_directive(stmt->name);
	default:
		return ROLE_NONE;
	}
}

void labelling_begin(struct labelling *l, bool dense)
{
	*l = (struct labelling){.dense = dense};
	switches_begin(&l->switches);
}

/* A place that a label proves, or gives because it is not known, and that is not known behind. */
static bool lose_place(struct labelling *l, bool label)
{
	l->known = false;
	return label;
}

static bool keep_place(struct labelling *l)
{
	bool label = !l->known;

	l->known = true;
	return label;
}

/* An instruction gets its label whatever section we believe to be in: a macro may have switched. */
static bool follow_insn(struct labelling *l, const struct asm_stmt *stmt)
{
	bool label = !l->in_prefix && keep_place(l);

	l->in_prefix = stmt->prefix_only;
	if (l->dense)
		l->known = false;
	return label;
}

/* Between a lone prefix and its instruction a label parts them: "je 0f; lock; 0: incl x". */
static bool follow_label(struct labelling *l, bool text)
{
	bool parts = l->in_prefix;

	l->in_prefix = false;
	return text && (keep_place(l) || parts);
}

/* Whether a directive leads to a section that only the ones before it tell. */
static bool leads_back(const struct asm_stmt *stmt)
{
	static const char *const back[] = {".previous", ".popsection"};

	return ASM_TEXT_AMONG(stmt->name, back);
}

static bool follow_switch(struct labelling *l, const struct asm_stmt *stmt)
{
	struct place *now = &l->switches.now;
	bool doubtful = l->conditions || (now->doubtful && leads_back(stmt));

	if (!switches_follow(&l->switches, stmt))
		return false;
	now->doubtful |= doubtful;
	return true;
}

static void follow_condition(struct labelling *l, const struct asm_stmt *stmt)
{
	if (asm_text_begins(stmt->name, ".if"))
		l->conditions++;
	else if (asm_text_begins(stmt->name, ".end"))
		l->conditions -= l->conditions > 0;
	else if (asm_text_is(stmt->name, ".include"))
		l->switches.now.doubtful = true;
}

bool labelling_follow(struct labelling *l, const struct asm_stmt *stmt)
{
	bool text = !l->switches.now.data || l->switches.now.doubtful;

	switch (role_of(stmt)) {
	case ROLE_NONE:
		return follow_switch(l, stmt) && lose_place(l, l->known);
	case ROLE_CONDITION:
		follow_condition(l, stmt);
		/* Where gas leaves a branch out, it would not see .endif behind a label. */
		return lose_place(l, false);
	case ROLE_LABEL:
		return follow_label(l, text);
	case ROLE_PADDING:
	case ROLE_DATA:
		return lose_place(l, text);
	case ROLE_RAW:
		return lose_place(l, true);
	case ROLE_INSN:
		return follow_insn(l, stmt);
	}
	return false;
}

void labelling_end(struct labelling *l)
{
	switches_end(&l->switches);
}

bool labelling_must_be_dense(const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++) {
		enum role role = role_of(&file->stmts[i]);

		if (role == ROLE_RAW || role == ROLE_CONDITION)
			return true;
	}
	return false;
}
