/** How many of the ascending values are lower. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the ascending values are lower or equal. */
export function upperBound(ascending: ArrayLike<number>, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of ascending things how many are before one that is sought. @param isBefore of the thing at a place */
export function countBefore(things: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, things];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a number is one of the ascending values. */
export function includes(ascending: ArrayLike<number>, value: number): boolean {
  return ascending[lowerBound(ascending, value)] === value;
}
