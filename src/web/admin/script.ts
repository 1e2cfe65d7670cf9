/**
 * The script of the admin pages: refreshes what is in progress, and reports a file that is too large before it is sent.
 * The pages work without it.
 */
export const ADMIN_SCRIPT = `const LOOK_MS = 2000;
async function look() {
  const live = document.querySelector("[data-live]");
  if (!live) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(live.id);
    if (fresh) live.replaceWith(document.adoptNode(fresh));
  } catch {}
  setTimeout(look, LOOK_MS);
}
setTimeout(look, LOOK_MS);
for (const input of document.querySelectorAll("input[data-max-bytes]")) {
  input.addEventListener("change", () => {
    const isLarge = [...input.files].some(({ size }) => size > Number(input.dataset.maxBytes));
    input.setCustomValidity(isLarge ? "The file exceeds the limit of 4 GiB." : "");
    input.reportValidity();
  });
}
`;
