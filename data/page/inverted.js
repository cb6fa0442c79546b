/* The call tree upside down: functions by self cost, below each its callers, merged over all paths
 * that end in it. It is built for one metric, as what is too small to be shown depends on it. */

const SMALLEST = 1 / 5000; /* of the total, what is still a frame */

/* What a frame is by itself; on which sides it is, and how certain, is so of the paths that it is part of. */
const OF_FRAME = INLINED_BASE | INLINED_HEAD | REST;

class InvertedTree extends Tree {
	constructor(tree, metric) {
		const built = invert(tree, tree.sums(metric));
		super(tree.bench, tree.side, built.raw);
		this.upright = tree;
		this.ends = built.ends;
		this.inverted = true;
	}

	/* A frame's self cost here is the cost of the paths that end, or are no longer told apart, there. */
	countSelf(metric) {
		const from = this.upright.sums(metric);
		const selfBase = new Float64Array(this.count), selfHead = new Float64Array(this.count);
		this.ends.forEach((end, leaf) => {
			if (end >= 0) {
				selfBase[end] += from.selfBase[leaf];
				selfHead[end] += from.selfHead[leaf];
			}
		});
		return { selfBase, selfHead };
	}
}

/* The columns of the inverted tree, and for each frame of `tree` the frame where its path ends. */
function invert(tree, costs) {
	const raw = { function: [], up: [], flags: [], rest: [] }, ends = new Int32Array(tree.count).fill(-1);
	const size = (leaf) => Math.max(Math.abs(costs.selfBase[leaf]), Math.abs(costs.selfHead[leaf]));
	const add = (fn, parent, flags, rest) => {
		const i = raw.function.length;
		raw.function.push(fn);
		raw.up.push(parent < 0 ? 0 : i - parent);
		raw.flags.push(flags);
		raw.rest.push(rest);
		return i;
	};
	const leaves = Array.from({ length: tree.count }, (_, i) => i).filter((i) => size(i) > 0);
	const least = SMALLEST * sum(leaves.map(size));
	const group = (members) => groupsByFunction(tree, members, size);
	const roots = group(leaves.map((leaf) => [leaf, leaf]));
	const waiting = roots.filter((of) => of.size >= least).reverse().map((of) => ({ ...of, parent: -1 }));
	while (waiting.length) {
		const { fn, members, flags, parent } = waiting.pop();
		const rest = fn < 0 ? sum(members.map(([, at]) => tree.raw.rest?.[at] ?? 1)) : null;
		const i = add(fn, parent, flags, rest);
		for (const [leaf] of members)
			ends[leaf] = i;
		const callers = members.map(([leaf, at]) => [leaf, tree.parent[at]]).filter(([, at]) => at >= 0);
		waiting.push(...group(callers).filter((of) => of.size >= least).reverse().map((of) => ({ ...of, parent: i })));
	}
	const small = roots.filter((of) => of.size < least);
	if (small.length) {
		const i = add(-1, -1, IN_BASE | IN_HEAD | REST, small.length);
		for (const { members } of small)
			for (const [leaf] of members)
				ends[leaf] = i;
	}
	return { raw, ends };
}

/* Pairs [leaf, frame on the way up from it] by the function of the frame, the largest first. */
function groupsByFunction(tree, members, size) {
	const groups = new Map();
	for (const member of members) {
		const [leaf, at] = member, fn = tree.fn[at];
		if (!groups.has(fn))
			groups.set(fn, { fn, members: [], size: 0, flags: 0 });
		const group = groups.get(fn);
		group.members.push(member);
		group.size += size(leaf);
		group.flags |= tree.flags[at] & OF_FRAME | tree.flags[leaf] & ~OF_FRAME;
	}
	return [...groups.values()].sort((a, b) => b.size - a.size || a.fn - b.fn);
}
