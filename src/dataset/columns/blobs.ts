/**
 * Values of typed arrays as blobs of a snapshot (`blobs` of `schema.ts`): what questions need is computed once, when the
 * snapshot is made, and later read as it is. An array of objects is a JSON text of its own; everything else is one under the
 * value's name. Names, and values that only look-ups need, are stored and read in pages.
 */
import type { Dataset } from "../dataset.ts";
import { WordIndex, PackedTexts } from "./names.ts";
import { type ArrayName, ARRAYS, type NumberArray, PagedArray, pagesOf } from "../arrays.ts";

/** A value of objects, arrays, numbers, texts, sets of numbers, typed arrays and the classes below. */
type Value = object;

/** The classes of values, with their fields in the order of their constructors. */
const CLASSES = {
  PackedTexts: { type: PackedTexts, fields: ["bytes", "begins"] },
  WordIndex: { type: WordIndex, fields: ["words", "owners"] },
} as const;

type ClassName = keyof typeof CLASSES;

/** Stored in place of a typed array, an array of objects, an object of a class, a set, or a map: a cache that is empty at first. */
interface Mark {
  $: ArrayName | ClassName | "Array" | "Set" | "Map";
  of?: unknown;
  /** Length of a typed array in pages: `path.0`, `path.1` and so on. */
  paged?: number;
}

/** One record of the table. */
export interface Blob {
  name: string;
  data: Uint8Array;
}

/**
 * The records of a value.
 * @param name of the value; its arrays are stored under `name.path`
 * @param inPages whether it is read through `Numbers`: all its typed arrays are in pages, not only those of names
 */
export function* blobsOf(name: string, value: Value, inPages: boolean): Generator<Blob> {
  const blobs: Blob[] = [];
  const json = JSON.stringify(packed(value, name, blobs, inPages));
  yield { name, data: encoder.encode(json) };
  yield* blobs;
}

/** Reads a value back, each of its arrays when it is used first, by a statement prepared once. @throws Error if the snapshot does not have it */
export function readBlobs<T extends Value>(dataset: Pick<Dataset, "all">, name: string): T {
  const read = (path: string): Uint8Array<ArrayBuffer> => {
    const [line] = dataset.all<{ data: Uint8Array<ArrayBuffer> }>(
      "select data from blobs where name = ?",
      path,
    );
    if (line === undefined) throw new Error(`the snapshot has no ${path}`);
    return line.data;
  };
  // Written by `blobsOf` of a value of this type, and covered by the content hash.
  return revived(JSON.parse(decoder.decode(read(name))), name, read) as T;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function packed(value: unknown, path: string, blobs: Blob[], inPages: boolean): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (typeof value[0] !== "object") return value;
    blobs.push({ name: path, data: encoder.encode(JSON.stringify(value)) });
    return { $: "Array" } satisfies Mark;
  }
  if (ArrayBuffer.isView(value)) {
    // The four kinds of `ARRAYS` are the only ones in use; `revived` fails for another.
    const [array, $] = [value as NumberArray, value.constructor.name as ArrayName];
    if (!inPages) {
      blobs.push({ name: path, data: bytesOf(array) });
      return { $ } satisfies Mark;
    }
    pagesOf(array).forEach((page, at) => blobs.push({ name: `${path}.${at}`, data: bytesOf(page) }));
    return { $, paged: array.length } satisfies Mark;
  }
  if (value instanceof Map) return { $: "Map" } satisfies Mark;
  if (value instanceof Set) return { $: "Set", of: [...value] } satisfies Mark;
  const name = (["PackedTexts", "WordIndex"] as const).find((one) => value instanceof CLASSES[one].type);
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      packed(member, `${path}.${key}`, blobs, inPages || name !== undefined),
    ]),
  );
  return name === undefined ? members : ({ $: name, of: members } satisfies Mark);
}

function revived(value: unknown, path: string, read: (path: string) => Uint8Array<ArrayBuffer>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // Written by `packed`: an object with `$` is a mark.
  const { $: kind, of = {}, paged } = value as Partial<Mark>;
  const members = (among: object): Record<string, unknown> => {
    const object = {};
    for (const [key, member] of Object.entries(among))
      readOnUse(object, key, () => revived(member, `${path}.${key}`, read));
    return object;
  };
  switch (kind) {
    case undefined:
      return members(value);
    case "Map":
      return new Map();
    case "Array":
      return JSON.parse(decoder.decode(read(path)));
    case "Set":
      return new Set(Array.isArray(of) ? of : []);
    case "PackedTexts":
    case "WordIndex": {
      const { type, fields } = CLASSES[kind];
      const found = members(Object(of));
      return Reflect.construct(
        type,
        fields.map((field) => found[field]),
      );
    }
    default: {
      const array = ARRAYS[kind];
      const arrayAt = (place: string): NumberArray => {
        const bytes = read(place);
        // Arrays of larger numbers must be aligned. SQLite's copy is; one that began elsewhere would be copied again.
        const { buffer, byteLength } = bytes.byteOffset === 0 ? bytes : new Uint8Array(bytes);
        return new array(buffer, 0, byteLength / array.BYTES_PER_ELEMENT);
      };
      if (paged === undefined) return arrayAt(path);
      return new PagedArray<NumberArray>(array, paged, (page) => arrayAt(`${path}.${page}`));
    }
  }
}

/** A member that is read when it is used first: no question needs all of them. */
function readOnUse(object: object, key: string, read: () => unknown): void {
  const settings = { configurable: true, enumerable: true };
  Object.defineProperty(object, key, {
    ...settings,
    get() {
      const value = read();
      Object.defineProperty(object, key, { ...settings, value });
      return value;
    },
  });
}
