/** Numbers by group: the members of group `n` are in `members` from `first[n]` up to but excluding `first[n + 1]`, ascending. */
export interface Groups {
  first: Int32Array;
  members: Int32Array;
}

/**
 * Groups numbers by a counting sort.
 *
 * @param group the group of each member
 * @param members ascending; null: their indices
 */
export function grouped(group: Int32Array, members: Int32Array | null, groups: number): Groups {
  const first = new Int32Array(groups + 1);
  for (let at = 0; at < group.length; at++) {
    const next = (group[at] ?? 0) + 1;
    first[next] = (first[next] ?? 0) + 1;
  }
  for (let at = 1; at < first.length; at++) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
  const free = first.slice();
  const placed = new Int32Array(group.length);
  for (let at = 0; at < group.length; at++) {
    const of = group[at] ?? 0;
    const place = free[of] ?? 0;
    placed[place] = members === null ? at : (members[at] ?? 0);
    free[of] = place + 1;
  }
  return { first, members: placed };
}
