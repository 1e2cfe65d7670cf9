/** Headers of an RPM package: numbered values with their types. @see RPM V4 format, "Header" */

/** A value of a header, by its RPM type. */
export type RpmValue =
  | { type: "int16" | "int32"; values: readonly number[] }
  | { type: "string"; value: string }
  | { type: "strings" | "i18n"; values: readonly string[] }
  | { type: "bytes"; value: Uint8Array };

const TYPE_NUMBER = { int16: 3, int32: 4, string: 6, bytes: 7, strings: 8, i18n: 9 } as const;
const WIDTH = { int16: 2, int32: 4 } as const;

/** Tags of the region that makes a whole header immutable: for the signature header, and for the main one. */
export const REGION = { signatures: 62, immutable: 63 } as const;

/** The bytes of a header. @param tags by number @param region see REGION */
export function rpmHeader(tags: ReadonlyMap<number, RpmValue>, region: number): Uint8Array<ArrayBuffer> {
  const store: Buffer[] = [];
  const index: Buffer[] = [];
  let size = 0;
  const append = (bytes: Buffer) => {
    store.push(bytes);
    size += bytes.length;
  };
  for (const [tag, value] of [...tags].toSorted(([a], [b]) => a - b)) {
    const width = value.type === "int16" || value.type === "int32" ? WIDTH[value.type] : 1;
    append(Buffer.alloc((width - (size % width)) % width));
    const { bytes, count } = encode(value);
    index.push(words(tag, TYPE_NUMBER[value.type], size, count));
    append(bytes);
  }
  // The region's own entry comes first, its trailer last; the trailer points back over the whole index.
  const head = words(region, TYPE_NUMBER.bytes, size, 16);
  append(words(region, TYPE_NUMBER.bytes, -16 * (index.length + 1), 16));
  const magic = Buffer.concat([Buffer.from("8eade80100000000", "hex"), words(index.length + 1, size)]);
  return new Uint8Array(Buffer.concat([magic, head, ...index, ...store]));
}

function encode(value: RpmValue): { bytes: Buffer; count: number } {
  switch (value.type) {
    case "int16":
    case "int32": {
      const width = WIDTH[value.type];
      const bytes = Buffer.alloc(value.values.length * width);
      for (const [place, number] of value.values.entries()) bytes.writeUIntBE(number, place * width, width);
      return { bytes, count: value.values.length };
    }
    case "string":
      return { bytes: Buffer.from(`${value.value}\0`), count: 1 };
    case "strings":
    case "i18n":
      return {
        bytes: Buffer.from(value.values.map((one) => `${one}\0`).join("")),
        count: value.values.length,
      };
    case "bytes":
      return { bytes: Buffer.from(value.value), count: value.value.length };
  }
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [place, number] of numbers.entries()) bytes.writeInt32BE(number, place * 4);
  return bytes;
}
