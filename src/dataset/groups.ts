/** Numbers by group: the members of group `n` are in `members` from `first[n]` up to but excluding `first[n + 1]`, ascending. */
export interface Groups {
  first: Int32Array;
  members: Int32Array;
}

/**
 * Groups numbers.
 * @param group the group of each member
 * @param members ascending; null: their indices
 */
export function grouped(group: Int32Array, members: Int32Array | null, groups: number): Groups {
  const grouping = new Grouping(group, members, groups);
  grouping.count(0, group.length);
  grouping.add();
  grouping.place(0, group.length);
  return grouping.groups();
}

const MEMBERS_A_SLICE = 32_768;

/** Like `grouped`, in slices of 1 to 2 ms. */
export function* groupedInTurns(
  group: Int32Array,
  members: Int32Array | null,
  groups: number,
): Generator<void, Groups> {
  const grouping = new Grouping(group, members, groups);
  for (let from = 0; from < group.length; from += MEMBERS_A_SLICE) {
    grouping.count(from, Math.min(group.length, from + MEMBERS_A_SLICE));
    yield;
  }
  grouping.add();
  for (let from = 0; from < group.length; from += MEMBERS_A_SLICE) {
    yield;
    grouping.place(from, Math.min(group.length, from + MEMBERS_A_SLICE));
  }
  return grouping.groups();
}

/** A counting sort in steps: `count` everything, then `add`, then `place` everything. */
class Grouping {
  private readonly first: Int32Array;
  private readonly members: Int32Array;
  private free = new Int32Array(0);

  constructor(
    private readonly group: Int32Array,
    private readonly given: Int32Array | null,
    groups: number,
  ) {
    this.first = new Int32Array(groups + 1);
    this.members = new Int32Array(group.length);
  }

  groups(): Groups {
    return { first: this.first, members: this.members };
  }

  count(from: number, to: number): void {
    const { first, group } = this;
    for (let at = from; at < to; at++) {
      const next = (group[at] ?? 0) + 1;
      first[next] = (first[next] ?? 0) + 1;
    }
  }

  add(): void {
    const { first } = this;
    for (let at = 1; at < first.length; at++) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
    this.free = first.slice();
  }

  place(from: number, to: number): void {
    const { free, group, given, members } = this;
    for (let at = from; at < to; at++) {
      const of = group[at] ?? 0;
      const place = free[of] ?? 0;
      members[place] = given === null ? at : (given[at] ?? 0);
      free[of] = place + 1;
    }
  }
}
