const ITEM = /^(?:\d{1,2}|[a-z]|([a-z])\1|[ivx]{1,4}|[*†‡§¶#+^~]{1,5}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})$/i;

/**
 * Whether the text can only be a footnote mark: `(6)`, `6`, `(2)(3)`, `a,b`, `*`. One or two digits alone count, too;
 * a word does not.
 */
export function isMark(text: string): boolean {
  if (text.length > 24) return false;
  const items = text.split(/[\s,;&()[\]{}⁽⁾]+|(?<=[*†‡§¶#])(?=[^*†‡§¶#])/).filter((item) => item !== "");
  return (
    items.length > 0 && items.length <= 8 && items.every((item) => ITEM.test(item)) && !/^nil$/i.test(text)
  );
}
