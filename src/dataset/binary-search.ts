/** The number of values lower than the given one. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of values lower than or equal to the given one. */
export function upperBound(ascending: ArrayLike<number>, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of leading elements for which `isBefore` holds, found by binary search. */
export function countBefore(things: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, things];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the ascending values contain a number. */
export function includes(ascending: ArrayLike<number>, value: number): boolean {
  return ascending[lowerBound(ascending, value)] === value;
}
