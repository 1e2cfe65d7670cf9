/**
 * The script of the account pages: refreshes what is in progress, reports a file that is too large before it is sent,
 * asks before a fresh key is left, and stores that key for the API reference until the tab is closed or the
 * person signs out. The pages work without it.
 */
const textOf = (id: string) => document.getElementById(id)?.textContent ?? "";
const LOOK_MS = 2000;
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
for (const input of document.querySelectorAll<HTMLInputElement>("input[data-max-bytes]")) {
  input.addEventListener("change", () => {
    const isLarge = [...(input.files ?? [])].some(({ size }) => size > Number(input.dataset["maxBytes"]));
    input.setCustomValidity(isLarge ? "The file exceeds the limit of 4 GiB." : "");
    input.reportValidity();
  });
}
if (document.getElementById("fresh")) {
  sessionStorage.setItem("execcomp_key", textOf("secret"));
  const ask = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  for (const link of document.querySelectorAll("[data-leave]")) {
    link.addEventListener("click", () => removeEventListener("beforeunload", ask));
  }
}
for (const form of document.querySelectorAll("form")) {
  if (
    form.matches('[action^="/sign-out"]') ||
    form.querySelector('[name="act"][value="sign_out_everywhere"]')
  )
    form.addEventListener("submit", () => sessionStorage.removeItem("execcomp_key"));
}
