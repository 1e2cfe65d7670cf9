/** Numbers in groups: those of group `n` stand in `members` from `first[n]` to before `first[n + 1]`, ascending. */
export interface Groups {
  first: Int32Array;
  members: Int32Array;
}

/**
 * Sorts numbers into groups.
 * @param group of each member its group
 * @param members ascending; null: their places
 */
export function grouped(group: Int32Array, members: Int32Array | null, groups: number): Groups {
  const first = new Int32Array(groups + 1);
  for (let at = 0; at < group.length; at++) {
    const next = (group[at] ?? 0) + 1;
    first[next] = (first[next] ?? 0) + 1;
  }
  for (let at = 1; at <= groups; at++) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
  const free = first.slice();
  const sorted = new Int32Array(group.length);
  for (let at = 0; at < group.length; at++) {
    const of = group[at] ?? 0;
    const place = free[of] ?? 0;
    sorted[place] = members === null ? at : (members[at] ?? 0);
    free[of] = place + 1;
  }
  return { first, members: sorted };
}
