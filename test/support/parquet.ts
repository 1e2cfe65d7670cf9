import { parquetReadObjects } from "hyparquet";

/** The rows of a Parquet file. */
export function readParquet(bytes: Uint8Array): ReturnType<typeof parquetReadObjects> {
  return parquetReadObjects({
    file: new Uint8Array(bytes).buffer,
    compressors: { ZSTD: (page) => Bun.zstdDecompressSync(new Uint8Array(page)) },
  });
}
