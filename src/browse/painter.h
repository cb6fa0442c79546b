/* Where a browser draws its screen. */
#ifndef IRDIFF_BROWSE_PAINTER_H
#define IRDIFF_BROWSE_PAINTER_H

enum browse_look {
	LOOK_PLAIN,
	LOOK_BAR, /* lines above and below the list */
	LOOK_HEADING,
	LOOK_FAINT,
	LOOK_SELECTED,
	LOOK_MORE, /* costs more than in base */
	LOOK_LESS,
	LOOK_MATCH, /* is what is searched for */
};

/* Where a screen goes. Texts are safe, in the locale's characters, and stay on their line. */
struct browse_painter {
	void *to;
	void (*put)(void *to, unsigned y, unsigned x, const char *text, enum browse_look look);
	/* Where a person types; not called if nobody does. */
	void (*cursor)(void *to, unsigned y, unsigned x);
};

#endif
