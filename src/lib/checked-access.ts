/**
 * Elements of arrays that must be there: `array[index] ?? 0` would turn a wrong index into a number. One function for each kind of
 * typed array, because the engine reads fast only in a function that sees one kind.
 */

/** @throws RangeError */
export function outOfBounds(array: { readonly length: number }, index: number): never {
  throw new RangeError(`${array.constructor.name} of ${array.length} has no element ${index}`);
}

/** @throws RangeError */
export function elementAt<Of extends string | number | object>(array: ArrayLike<Of>, index: number): Of {
  return array[index] ?? outOfBounds(array, index);
}

/** The value of a key that must be there. @throws RangeError */
export function valueAt<Key, Of extends string | number | object>(map: ReadonlyMap<Key, Of>, key: Key): Of {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`a map of ${map.size} has no key ${String(key)}`);
  return value;
}

/** @throws RangeError */
export function int32At(array: Int32Array, index: number): number {
  return array[index] ?? outOfBounds(array, index);
}

/** @throws RangeError */
export function float64At(array: Float64Array, index: number): number {
  return array[index] ?? outOfBounds(array, index);
}

/** @throws RangeError */
export function uint16At(array: Uint16Array, index: number): number {
  return array[index] ?? outOfBounds(array, index);
}

/** @throws RangeError */
export function uint8At(array: Uint8Array, index: number): number {
  return array[index] ?? outOfBounds(array, index);
}
