/* Counts: numbers, and BigInts where a number would be rounded. Both can be compared, but neither
 * added to nor subtracted from the other. */

/* A count as data has it: a text where a number would be rounded. */
function countOf(raw) {
	return typeof raw === "string" ? BigInt(raw) : raw;
}

function differenceOf(before, now) {
	const delta = Number(now) - Number(before);
	return typeof before === "number" && typeof now === "number" && Number.isSafeInteger(delta) ? delta : BigInt(now) - BigInt(before);
}

/* How much of the count before it the difference is. */
function partOf(before, now) {
	return before === 0 ? Infinity : Number(differenceOf(before, now)) / Math.abs(Number(before));
}

/* As formatChange, which takes numbers. */
function formatCountChange(before, now) {
	return before === 0 || before === now ? formatChange(before, now) : formatPercent(partOf(before, now));
}

function magnitude(count) {
	return count < 0 ? -count : count;
}

/* Whether counts between these two are level: series_classify of irdiff finds no step from one to the other. Shares are
 * parts of a thousand millions there, and exact. */
function isLevel(least, most, { tolerance, share, threshold, least: smallest }) {
	const size = BigInt(differenceOf(least, most)), before = BigInt(magnitude(least));
	const partOfBefore = (part) => BigInt(Math.round(part * 1e9)) * before, billion = 1000000000n;
	return size === 0n || size * billion < partOfBefore(threshold) || size < BigInt(smallest) ||
		size <= BigInt(tolerance) || size <= partOfBefore(share) / billion;
}

/* What the index says of a benchmark, in place. */
function readCounts(summary) {
	summary.count = countOf(summary.count);
	summary.spark = summary.spark.map(countOf);
	summary.since = summary.since.map(countOf);
	if (summary.step) {
		summary.step.before = countOf(summary.step.before);
		summary.step.count = countOf(summary.step.count);
	}
}
