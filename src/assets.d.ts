/** Files that the build puts into the executable: the import gives a path that `Bun.file` reads. */
declare module "*/standalone.js" {
  const path: string;
  export default path;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.sqlite" {
  const path: string;
  export default path;
}
declare module "*.ttf" {
  const path: string;
  export default path;
}
declare module "*.wasm" {
  const path: string;
  export default path;
}
declare module "*.tsv" {
  const path: string;
  export default path;
}
declare module "*.zst" {
  const path: string;
  export default path;
}
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.pub" {
  const text: string;
  export default text;
}
