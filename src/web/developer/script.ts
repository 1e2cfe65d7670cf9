/** What the browser runs on the developer page: it copies, and asks before a fresh key is left. The page works without it. */
export const SCRIPT = `for (const button of document.querySelectorAll("[data-copy]")) {
  const words = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = words), 2000);
  });
}
if (document.getElementById("fresh")) {
  const ask = (event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  document
    .querySelector("[data-leave]")
    .addEventListener("click", () => removeEventListener("beforeunload", ask));
}
`;
