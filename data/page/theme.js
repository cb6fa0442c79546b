/* Light or dark: as the system says, unless a reader chose one. */

class Theme {
	constructor(changed) {
		this.changed = changed;
		this.system = matchMedia("(prefers-color-scheme: dark)");
		this.system.addEventListener("change", changed);
		this.button = h("button.button", { type: "button", id: "theme", click: () => this.next() });
		this.set(remembered("irdiff-theme") ?? "auto");
	}

	isDark() {
		const chosen = document.documentElement.dataset.theme;
		return chosen ? chosen === "dark" : this.system.matches;
	}

	next() {
		const order = ["auto", "light", "dark"];
		const next = order[(order.indexOf(this.chosen) + 1) % order.length];
		remember("irdiff-theme", next);
		this.set(next);
		this.changed();
	}

	set(theme) {
		this.chosen = ["light", "dark"].includes(theme) ? theme : "auto";
		if (this.chosen === "auto")
			delete document.documentElement.dataset.theme;
		else
			document.documentElement.dataset.theme = this.chosen;
		this.button.textContent = { auto: "\u25d0 Auto", light: "\u25cb Light", dark: "\u25cf Dark" }[this.chosen];
		this.button.setAttribute("aria-label", `Colours: ${this.chosen}`);
	}
}

/* A file that is opened from a disk may have no storage. */
function remembered(key) {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

function remember(key, value) {
	try {
		localStorage.setItem(key, value);
	} catch {
		/* Then it is asked for again next time. */
	}
}
