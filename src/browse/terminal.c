#include "src/browse/terminal.h"

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum { PAIR_MORE = 1, PAIR_LESS };

struct terminal {
	struct browse *browse;
	int in, out;     /* descriptors */
	int signals;     /* a descriptor of what is blocked; -1: none */
	sigset_t before; /* the mask to go back to */
	SCREEN *screen;  /* NULL: not open */
	bool color;
	int ended_by; /* a signal */
	bool gone;    /* the terminal is gone */
};

/* ---- the screen ---- */

static attr_t attributes(const struct terminal *t, enum browse_look look)
{
	switch (look) {
	case LOOK_BAR:
		return A_REVERSE;
	case LOOK_HEADING:
		return A_BOLD;
	case LOOK_FAINT:
		return A_DIM;
	case LOOK_SELECTED:
		return A_REVERSE | A_BOLD;
	case LOOK_MORE:
		return t->color ? COLOR_PAIR(PAIR_MORE) : A_NORMAL;
	case LOOK_LESS:
		return t->color ? COLOR_PAIR(PAIR_LESS) : A_NORMAL;
	case LOOK_MATCH:
		return A_UNDERLINE;
	case LOOK_PLAIN:
		break;
	}
	return A_NORMAL;
}

static void put_on_terminal(void *to, unsigned y, unsigned x, const char *text,
			    enum browse_look look)
{
	attrset(attributes(to, look));
	mvaddstr((int)y, (int)x, text);
}

static void show_cursor(void *to, unsigned y, unsigned x)
{
	(void)to;
	curs_set(1);
	move((int)y, (int)x);
}

static int draw_terminal(struct terminal *t)
{
	const struct browse_painter painter = { t, put_on_terminal, show_cursor };

	browse_resize(t->browse, (unsigned)LINES, (unsigned)COLS);
	erase();
	curs_set(0);
	move(LINES - 1, COLS - 1);
	int status = browse_draw(t->browse, &painter);
	refresh();
	return status;
}

static void take_size(struct terminal *t)
{
	struct winsize size;
	if (ioctl(t->out, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
}

/* ---- keys ---- */

static uint32_t browse_key_of(wint_t key)
{
	switch (key) {
	case KEY_UP:
		return BROWSE_KEY_UP;
	case KEY_DOWN:
		return BROWSE_KEY_DOWN;
	case KEY_LEFT:
		return BROWSE_KEY_LEFT;
	case KEY_RIGHT:
		return BROWSE_KEY_RIGHT;
	case KEY_PPAGE:
		return BROWSE_KEY_PAGE_UP;
	case KEY_NPAGE:
		return BROWSE_KEY_PAGE_DOWN;
	case KEY_HOME:
		return BROWSE_KEY_HOME;
	case KEY_END:
		return BROWSE_KEY_END;
	case KEY_ENTER:
		return BROWSE_KEY_ENTER;
	case KEY_BTAB:
		return BROWSE_KEY_BACK_TAB;
	case KEY_BACKSPACE:
		return BROWSE_KEY_BACKSPACE;
	default:
		return 0;
	}
}

static uint32_t character_of(wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return BROWSE_KEY_ENTER;
	case '\t':
		return BROWSE_KEY_TAB;
	case 0x7f:
	case '\b':
		return BROWSE_KEY_BACKSPACE;
	case 0x1b:
		return BROWSE_KEY_ESCAPE;
	default:
		return (uint32_t)c;
	}
}

/* All that has been typed. */
static int take_keys(struct terminal *t)
{
	wint_t key;
	int kind, status = CG_OK;

	while (!status && !browse_ended(t->browse) && (kind = get_wch(&key)) != ERR) {
		uint32_t press = kind == KEY_CODE_YES ? browse_key_of(key) : character_of(key);
		if (press)
			status = browse_press(t->browse, press);
	}
	return status;
}

/* ---- signals ---- */

/* As any program stops: the shell has its terminal as it was, and gets to know. */
static void stop(void)
{
	sigset_t only;
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;

	endwin();
	sigaction(SIGTSTP, &usual, &ours);
	sigemptyset(&only);
	sigaddset(&only, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
	sigaction(SIGTSTP, &ours, NULL);
}

/* Somebody else may have had the terminal. */
static void come_back(struct terminal *t)
{
	take_size(t);
	clearok(stdscr, TRUE);
}

static void take_terminal_signals(struct terminal *t)
{
	struct signalfd_siginfo info;

	while (read(t->signals, &info, sizeof info) == sizeof info) {
		switch (info.ssi_signo) {
		case SIGTSTP:
			stop();
			come_back(t);
			break;
		case SIGCONT:
			come_back(t);
			break;
		case SIGWINCH:
			take_size(t);
			break;
		default:
			t->ended_by = (int)info.ssi_signo;
		}
	}
}

/* What the caller's caller ignores stays ignored (nohup). */
static int block_signals(struct terminal *t, struct cg_error *err)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH };
	struct sigaction now;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (sigaction(taken[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&set, taken[i]);
	t->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (t->signals < 0)
		return cg_fail(err, CG_EIO, NULL, 0, "cannot wait for signals: %s",
			       strerror(errno));
	sigprocmask(SIG_BLOCK, &set, &t->before);
	return CG_OK;
}

/* ---- opening and closing ---- */

static void choose_colors(struct terminal *t)
{
	t->color = t->color && has_colors() && start_color() == OK;
	if (!t->color)
		return;
	short background = use_default_colors() == OK ? -1 : COLOR_BLACK;
	init_pair(PAIR_MORE, COLOR_RED, background);
	init_pair(PAIR_LESS, COLOR_GREEN, background);
}

/* ncurses frees nothing if it fails with a screen, so it is asked before. */
static int check_terminal(const struct terminal *t, struct cg_error *err)
{
	const char *name = getenv("TERM");
	int known;

	if (setupterm(NULL, t->out, &known) != OK)
		return cg_fail(err, CG_EINVAL, NULL, 0, "unknown terminal '%s'", name ? name : "");
	bool able = cursor_address && clear_screen;
	del_curterm(cur_term);
	if (able)
		return CG_OK;
	return cg_fail(err, CG_EINVAL, NULL, 0, "the terminal '%s' cannot move the cursor",
		       name ? name : "");
}

static int open_screen(struct terminal *t, FILE *in, FILE *out, struct cg_error *err)
{
	enum { ESCAPE_MS = 50 }; /* within which the keys of a sequence come */
	int status = check_terminal(t, err);

	if (status)
		return status;
	setlocale(LC_CTYPE, "");
	t->screen = newterm(NULL, out, in);
	if (!t->screen)
		return cg_fail_nomem(err);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	choose_colors(t);
	return CG_OK;
}

static void close_all(struct terminal *t)
{
	if (t->screen) {
		endwin();
		delscreen(t->screen);
	}
	if (t->signals >= 0) {
		close(t->signals);
		sigprocmask(SIG_SETMASK, &t->before, NULL);
	}
}

/* ---- until it ends ---- */

static int wait_for_input(struct terminal *t, struct cg_error *err)
{
	struct pollfd fds[] = { { t->in, POLLIN, 0 }, { t->signals, POLLIN, 0 } };

	if (poll(fds, 2, -1) < 0 && errno != EINTR)
		return cg_fail(err, CG_EIO, NULL, 0, "cannot wait for keys: %s", strerror(errno));
	t->gone = fds[0].revents & (POLLHUP | POLLERR | POLLNVAL);
	if (fds[1].revents)
		take_terminal_signals(t);
	return CG_OK;
}

int browse_run(struct browse *b, FILE *in, FILE *out, bool color, int *signal, struct cg_error *err)
{
	struct terminal t = {
		.browse = b, .in = fileno(in), .out = fileno(out), .signals = -1, .color = color
	};
	int status = block_signals(&t, err);

	if (!status)
		status = open_screen(&t, in, out, err);
	while (!status && !browse_ended(b) && !t.ended_by && !t.gone) {
		status = draw_terminal(&t) ? cg_fail_nomem(err) : wait_for_input(&t, err);
		if (!status && take_keys(&t))
			status = cg_fail_nomem(err);
	}
	close_all(&t);
	*signal = t.ended_by;
	return status;
}
