"use strict";
/* Data comes in pieces, each a script that calls irdiff(NAME, VALUE): a page that is opened from a
 * disk may run scripts, but may not read files. */

const pieces = new Map();

function expectPiece(name) {
	let piece = pieces.get(name);
	if (!piece) {
		piece = {};
		piece.value = new Promise((resolve, reject) => Object.assign(piece, { resolve, reject }));
		pieces.set(name, piece);
	}
	return piece;
}

function irdiff(name, value) {
	expectPiece(name).resolve(value);
}

/* What is kept elsewhere need not be kept twice. */
function forgetPiece(name) {
	pieces.delete(name);
}

/* Loads NAME.js unless that was done. The version is a new address for new contents. */
function loadPiece(name, version) {
	const known = pieces.has(name), piece = expectPiece(name);
	if (known)
		return piece.value;
	const script = document.createElement("script");
	const fail = () => {
		pieces.delete(name);
		piece.reject(new Error(`${name}.js cannot be loaded; was the site moved in part?`));
	};
	script.src = `${name}.js?${version}`;
	script.addEventListener("error", fail);
	script.addEventListener("load", () => {
		script.remove();
		/* Of a promise that is resolved, this is ignored. */
		piece.reject(new Error(`${name}.js has no data`));
	});
	document.head.append(script);
	return piece.value;
}
