/** Fields of forms, each with its label. */
import { MIN_PASSWORD_LENGTH } from "../accounts/passwords.ts";
import { type Html, html } from "../lib/html.ts";
import { ROUTES } from "../http/routes.ts";

/** Attributes of an element: `true` is one without a value, `false` and undefined are left out. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function attributes(given: Attributes): Html {
  return html`${Object.entries(given).map(
    ([name, value]) =>
      value !== undefined && value !== false && (value === true ? html` ${name}` : html` ${name}="${value}"`),
  )}`;
}

/** A field behind its label. @param more below it @param className of the label */
export function field(
  label: string,
  given: Attributes,
  { more, className }: { more?: Html; className?: "wide" } = {},
): Html {
  return html`<label${attributes({ class: className })}>${label} <input${attributes(given)} />${more}</label>`;
}

/** Fields that nobody sees; those without a value are left out. */
export function hiddenFields(given: Readonly<Record<string, string | null>>): Html {
  return html`${Object.entries(given).map(([name, value]) => value !== null && html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** A box to tick before its label. */
export function checkbox(label: string, given: Attributes): Html {
  return html`<label class="choice"><input type="checkbox" ${attributes(given)} /> ${label}</label>`;
}

/** The values that a field offers, each with its label. */
export type Choices = readonly (readonly [value: string, label: string])[];

function options(choices: Choices, chosen: string | null): Html {
  return html`${choices.map(([value, words]) => html`<option value="${value}" ${value === chosen && html` selected`}>${words}</option>`)}`;
}

/** A choice behind its label. */
export function choice(label: string, name: string, choices: Choices, chosen: string | null = null): Html {
  return html`<label
    >${label}
    <select name="${name}">
      ${options(choices, chosen)}
    </select></label
  >`;
}

/** A choice that is sent when it is made, with its name where nothing is chosen; behind "More filters", with the others there. */
export function chip(name: string, label: string, value: string | null, choices: Choices): Html {
  return html`<label
    ><span class="away">${label}</span
    ><select name="${name}" class="${(value ?? "") !== "" && "set"}" data-press>
      ${options(choices, value)}
    </select></label
  >`;
}

/** A field that is sent when it is filled in. @param hint its name where nothing is typed */
export function typedChip(
  name: string,
  label: string,
  value: string | null,
  hint: string,
  given: Attributes,
): Html {
  const set = (value ?? "") !== "" && "set";
  const all = { name, class: set || "", value: value ?? "", placeholder: hint, "data-press": true, ...given };
  return html`<label><span class="away">${label}</span><input${attributes(all)} /></label>`;
}

/** Suggestions for names and tickers, separated by commas. */
export const SUGGESTED = {
  autocomplete: "off",
  "data-suggest": ROUTES.suggest.path,
  "data-several": true,
} as const;

/** The filters above a list of accounts. */
export function filterForm(path: string, fields: Html, button = "Show"): Html {
  return html`<form class="row filters panel" method="get" action="${path}">
    ${fields}
    <button>${button}</button>
  </form>`;
}

/** The first and the last day of what a list is of. */
export function periodFields(since: string, until: string): Html {
  return html`${field("Since", { type: "date", name: "since", value: since })}
  ${field("Until", { type: "date", name: "until", value: until })}`;
}

/** The field for an e-mail address. @param typed the form that is shown again */
export function emailField({ typed }: { typed: ReadonlyMap<string, string> | null }): Html {
  const value = typed?.get("email") ?? "";
  const autofocus = value === "";
  const given = { type: "email", name: "email", value, autocomplete: "username", required: true };
  return field("E-mail", { ...given, maxlength: 254, autofocus });
}

const PASSWORD = { type: "password", name: "password", required: true } as const;

/** The field for the password of an existing account. */
export function passwordField(label = "Password"): Html {
  return field(label, { ...PASSWORD, autocomplete: "current-password", maxlength: 1000 });
}

/** The field for a new password. */
export function newPasswordField(): Html {
  const length = MIN_PASSWORD_LENGTH;
  const more = html` <span class="soft" id="password-rule">At least ${length} characters.</span>`;
  const given = { ...PASSWORD, autocomplete: "new-password", minlength: length, maxlength: 200 };
  return field("Password", { ...given, "aria-describedby": "password-rule" }, { more });
}
