/* The counts of a benchmark by one definition in one environment, from their pieces. */

/* Numbers in pairs with versions: the chunks that there are, as {chunk: version}. */
function chunksOf(flat) {
	const chunks = new Map();
	for (let i = 0; i < flat.length; i += 2)
		chunks.set(flat[i], flat[i + 1]);
	return chunks;
}

/* Where the commits of a branch are described, by their numbers. */
class Commits {
	constructor(index) {
		this.size = index.chunk;
		this.chunks = chunksOf(index.commits);
		this.loading = new Map();
		this.known = new Map();
		this.known.set(index.newest.number, index.newest);
	}

	/* Loads the chunks of these commits. */
	async load(numbers) {
		const chunks = new Set(numbers.map((number) => Math.floor(number / this.size)));
		for (const chunk of chunks)
			if (this.chunks.has(chunk) && !this.loading.has(chunk))
				this.loading.set(chunk, this.loadChunk(chunk));
		await Promise.all([...chunks].map((chunk) => this.loading.get(chunk)));
	}

	async loadChunk(chunk) {
		const name = `commits/${chunk}`, raw = await loadPiece(name, this.chunks.get(chunk)).catch((error) => {
			this.loading.delete(chunk);
			throw error;
		});
		forgetPiece(name);
		raw.number.forEach((number, i) => {
			this.known.set(number, { number, id: raw.id[i], committed: raw.committed[i], author: raw.author[i], subject: raw.subject[i] });
		});
	}

	/* undefined: it is not loaded. */
	get(number) {
		return this.known.get(number);
	}
}

/* Each count is the difference from the one before it: null if nothing was measured, and a text if
 * a number would be rounded. `exact` gets those that are rounded in `to`. */
function decodeCounts(raw, to, exact, from) {
	let count = 0;
	raw.forEach((value, i) => {
		if (value === null) {
			to[from + i] = NaN;
		} else if (typeof value === "string") {
			to[from + i] = Number(value);
			if (!Number.isSafeInteger(to[from + i]))
				exact.set(from + i, BigInt(value));
		} else {
			to[from + i] = count += value;
		}
	});
}

class Series {
	constructor(raw, pieces, chunk) {
		this.raw = raw;
		const total = pieces.reduce((sum, { value }) => sum + value.at.length, 0);
		this.numbers = new Float64Array(total);
		this.metrics = new Map(raw.metrics.map((metric) => [metric.name, {
			...metric, counts: new Float64Array(total).fill(NaN), exact: new Map(), steps: new Int8Array(total),
		}]));
		let from = 0;
		for (const { number, value } of pieces)
			from = this.add(value, number * chunk, from);
	}

	add(piece, number, from) {
		piece.at.forEach((distance, i) => {
			this.numbers[from + i] = number += distance;
		});
		for (const { name, counts, steps } of piece.metrics) {
			const metric = this.metrics.get(name);
			decodeCounts(counts, metric.counts, metric.exact, from);
			for (let i = 0; i < steps.length; i += 2)
				metric.steps[from + steps[i]] = steps[i + 1];
		}
		return from + piece.at.length;
	}

	/* The points that have a metric. Counts are for drawing; countAt says what they are. */
	points(name) {
		const metric = this.metrics.get(name);
		const has = [...this.numbers.keys()].filter((i) => !Number.isNaN(metric.counts[i]));
		return {
			metric: name, limits: metric,
			numbers: Float64Array.from(has, (i) => this.numbers[i]),
			counts: Float64Array.from(has, (i) => metric.counts[i]),
			countAt: (k) => metric.exact.get(has[k]) ?? metric.counts[has[k]],
			steps: Int8Array.from(has, (i) => metric.steps[i]),
		};
	}
}

async function loadSeries(bench, raw, chunk) {
	const chunks = [...chunksOf(raw.pieces)], nameOf = (number) => `bench/${bench}/${raw.id}-${number}`;
	const values = await Promise.all(chunks.map(([number, version]) => loadPiece(nameOf(number), version)));
	chunks.forEach(([number]) => forgetPiece(nameOf(number)));
	return new Series(raw, chunks.map(([number], i) => ({ number, value: values[i] })), chunk);
}
