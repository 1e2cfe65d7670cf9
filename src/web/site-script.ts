/** The script of every page: suggestions for the search box in a native `datalist`. Pages work without it. */
export const SITE_SCRIPT_TEXT = `for (const box of document.querySelectorAll("[data-suggest]")) {
  const list = document.createElement("datalist");
  list.id = "suggestions-" + Math.random().toString(36).slice(2);
  box.after(list);
  box.setAttribute("list", list.id);
  let requested = "";
  let timer;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const words = box.value.trim();
      if (words === "" || words === requested) return;
      requested = words;
      const answer = await fetch(box.dataset.suggest + "?q=" + encodeURIComponent(words));
      if (!answer.ok || words !== requested) return;
      const { companies } = await answer.json();
      list.replaceChildren(
        ...companies.map(({ ticker, cik, company_name }) => {
          const option = document.createElement("option");
          option.value = ticker || "CIK " + cik;
          option.label = company_name;
          return option;
        }),
      );
    }, 120);
  });
}
`;

/** The logo: three bars, the last one the highest. */
export const ICON_TEXT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b5cad"/><path d="M7 24V16h4v8zm7 0V11h4v13zm7 0V6h4v18z" fill="#fff"/></svg>
`;
