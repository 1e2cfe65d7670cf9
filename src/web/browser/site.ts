/** The script of every page: suggestions, pressed filters, copying, printing. Pages work without it. */
/** What a suggestion shows, and what choosing it does. */
type Suggestion = Record<"text" | "more" | "value" | "href", string>;
/** A company and a person as `/suggest` answers them. */
type Found = Record<"ticker" | "cik" | "company_name" | "path", string>;
type FoundPerson = Found & Record<"name", string>;

// Suggestions: companies and people while typing, in a list below the box.
for (const box of document.querySelectorAll<HTMLInputElement>("[data-suggest]")) {
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = "suggestions-" + Math.random().toString(36).slice(2);
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  document.body.append(list);
  const isCombobox = box.tagName === "INPUT";
  if (isCombobox) {
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-expanded", "false");
    box.setAttribute("aria-controls", list.id);
  }
  const several = "several" in box.dataset;
  const entries = () => (several ? box.value.split(/[,;]/) : [box.value]).map((one) => one.trim());
  const typed = () => entries().at(-1) ?? "";
  let requested = "";
  let timer = 0;
  let at = -1;
  let items: readonly Suggestion[] = [];
  const show = (isShown: boolean) => {
    list.hidden = !isShown;
    if (isCombobox) box.setAttribute("aria-expanded", String(isShown));
    if (!isShown) at = -1;
    const { left, bottom, width } = box.getBoundingClientRect();
    list.style.left = left + scrollX + "px";
    list.style.top = bottom + scrollY + "px";
    list.style.minWidth = Math.min(width, 420) + "px";
  };
  const take = ({ value, href }: Suggestion) => {
    show(false);
    if (!several) return location.assign(href);
    box.value = [...entries().slice(0, -1), value, ""].join(", ");
    box.focus();
  };
  const choose = (next: number) => {
    at = (next + list.children.length) % list.children.length;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    box.setAttribute("aria-activedescendant", list.children[at]?.id ?? "");
  };
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const words = typed();
      if (words === "") return show(false);
      if (words === requested && !list.hidden) return;
      requested = words;
      const answer = await fetch((box.dataset["suggest"] ?? "") + "?q=" + encodeURIComponent(words));
      if (!answer.ok || words !== typed()) return;
      // Written by `/suggest`.
      const { companies, people } = (await answer.json()) as { companies: Found[]; people: FoundPerson[] };
      items = [
        ...companies.map(({ ticker, cik, company_name: text, path: href }) => ({
          text,
          more: ticker || "CIK " + cik,
          value: ticker || "CIK" + cik,
          href,
        })),
        ...people.map(({ name: text, company_name: more, ticker, cik, path: href }) => {
          return { text, more, value: ticker || "CIK" + cik, href };
        }),
      ];
      list.replaceChildren(
        ...items.map((item, index) => {
          const line = document.createElement("li");
          line.id = list.id + "-" + index;
          line.setAttribute("role", "option");
          line.setAttribute("aria-selected", "false");
          const more = document.createElement("span");
          more.className = "soft";
          more.textContent = " " + item.more;
          line.append(item.text, more);
          line.addEventListener("mousedown", (event) => {
            event.preventDefault();
            take(item);
          });
          return line;
        }),
      );
      // A ticker typed in full needs none: the list would lie on the button below.
      const isWhole = several && items.some(({ value }) => value.toLowerCase() === words.toLowerCase());
      show(items.length > 0 && !isWhole);
    }, 120);
  });
  box.addEventListener("keydown", (event) => {
    const chosen = items[at];
    if (list.hidden) return;
    if (event.key === "ArrowDown") choose(at + 1);
    else if (event.key === "ArrowUp") choose(at - 1);
    else if (event.key === "Escape") show(false);
    else if (event.key === "Enter" && chosen !== undefined) take(chosen);
    else return;
    event.preventDefault();
  });
  box.addEventListener("blur", () => show(false));
}
type Field = HTMLInputElement | HTMLSelectElement;
/** Whether keys were the last that was used. */
let isByKey = false;
addEventListener("keydown", () => (isByKey = true), true);
addEventListener("pointerdown", () => (isByKey = false), true);
// Pressed filters: a choice is sent with everything else that was typed, one of keys when they are done; the button stays for Enter.
for (const form of document.querySelectorAll<HTMLFormElement>("form.chips")) {
  let pending: EventTarget | null = null;
  const send = (next: EventTarget | null) => {
    pending = null;
    if (isByKey && next instanceof Element) sessionStorage.setItem("field", next.getAttribute("name") ?? "");
    form.requestSubmit();
  };
  for (const field of form.querySelectorAll<Field>("[data-press]")) {
    // Behind a button, which sends them all.
    if (field.closest(".fold") !== null) continue;
    field.addEventListener("change", () => {
      if (field.tagName === "SELECT" && !isByKey) send(field);
      else if (field.type === "checkbox") send(field);
      else pending = field;
    });
    field.addEventListener("keydown", (event) => {
      // Both of the keyboard's events have a key.
      if (pending !== field || (event as KeyboardEvent).key !== "Enter") return;
      event.preventDefault();
      send(field);
    });
    field.addEventListener("focusout", (event) => {
      const next = (event as FocusEvent).relatedTarget;
      if (pending === field) send(next instanceof Element && form.contains(next) ? next : field);
    });
  }
  form.addEventListener("keydown", ({ key, target, defaultPrevented }) => {
    if (key === "Enter" && !defaultPrevented && target instanceof Element && target.matches("input"))
      sessionStorage.setItem("field", target.getAttribute("name") ?? "");
  });
  for (const button of form.querySelectorAll<HTMLElement>("button.primary")) {
    button.classList.add("away");
    button.tabIndex = -1;
  }
  // Empty fields would only make the address longer.
  form.addEventListener("submit", () => {
    const fold = form.querySelector<HTMLElement>("[data-usual]");
    const boxes = [...(fold?.querySelectorAll<HTMLInputElement>("[name=columns]") ?? [])];
    const picked = boxes
      .filter((box) => box.checked)
      .map((box) => box.value)
      .join();
    if (picked === fold?.dataset["usual"]) for (const box of boxes) box.disabled = true;
    // Fieldsets have no value.
    for (const field of form.elements as Iterable<Field>)
      if (field.name && field.value === "") field.disabled = true;
  });
}
// Where the keys were.
const left = sessionStorage.getItem("field") ?? "";
sessionStorage.removeItem("field");
if (left !== "") document.querySelector<Field>(`form.chips [name="${CSS.escape(left)}"]`)?.focus();
// On a phone they stay folded, and on a screen as low as a laptop's at 200 %; as in the stylesheet.
const isPhone = matchMedia("(max-width: 576px), (max-width: 1180px) and (max-height: 560px)");
const fold = () => {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.folded"))
    details.open = !isPhone.matches;
};
isPhone.addEventListener("change", fold);
fold();
addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll<Field>("form.chips :disabled")) field.disabled = false;
});
const copied = async (button: HTMLElement, text: string) => {
  await navigator.clipboard.writeText(text);
  const words = button.textContent;
  if (words === "Copied") return;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = words), 2000);
};
for (const button of document.querySelectorAll<HTMLElement>("[data-copy-link], [data-copy-from]")) {
  const { copyFrom } = button.dataset;
  const text = () => (copyFrom ? document.getElementById(copyFrom)?.textContent : location.href) ?? "";
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", () => copied(button, text()));
}
addEventListener("beforeprint", () => {
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  for (const place of document.querySelectorAll("[data-printed]"))
    place.textContent = "Printed " + day + " · ";
});
for (const button of document.querySelectorAll<HTMLElement>("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
/** Closes what is folded open, except where somebody clicks in it. */
const close = (target: EventTarget | null) => {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>("details.fold[open]"))
    if (!(target instanceof Node && fold.contains(target))) fold.open = false;
};
document.addEventListener("click", ({ target }) => close(target));
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
  if (event.key === "Escape") close(null);
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  document.querySelector<HTMLElement>("input[name=q]")?.focus();
});
