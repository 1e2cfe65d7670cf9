/** The script of the developer page: copies text, asks for confirmation before leaving a fresh key, and stores that key
 * for the API reference until the tab is closed or the person signs out. The page works without it. */
export const SCRIPT = `for (const button of document.querySelectorAll("[data-copy]")) {
  const words = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = words), 2000);
  });
}
if (document.getElementById("fresh")) {
  sessionStorage.setItem("execcomp_key", document.getElementById("secret").textContent);
  const ask = (event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  for (const link of document.querySelectorAll("[data-leave]")) {
    link.addEventListener("click", () => removeEventListener("beforeunload", ask));
  }
}
for (const form of document.querySelectorAll('form[action^="/sign-out"], form[action$="/sign-out-everywhere"]')) {
  form.addEventListener("submit", () => sessionStorage.removeItem("execcomp_key"));
}
`;
