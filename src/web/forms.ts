/**
 * The forms of all pages: who may send one, what was sent, and what comes of it.
 *
 * - Every form has the browser's CSRF token and a number. An action writes the number with its entry in the audit log, in
 *   one transaction, so a form sent twice takes effect once, also after a restart and on another server; a form that was
 *   refused has written nothing, and takes effect when it is corrected and sent again.
 * - A form that was refused, or overtaken by somebody else's change, is shown again, filled in, and does nothing until its
 *   button is pressed again.
 */
import type { Elysia } from "elysia";
import { type Actor, OPERATOR, RepeatedForm } from "../accounts/audit.ts";
import { invalid, OperatorError, ServiceError } from "../errors.ts";
import { Html, html } from "../lib/html.ts";
import type { ContextOf, RequestContext } from "../http/base-urls.ts";
import { refusalOf } from "../http/refusals.ts";
import { withHeaders } from "../http/headers.ts";
import { redirectTo } from "../http/html-responses.ts";
import { type Route, type RouteName, ROUTES } from "../http/routes.ts";
import type { BrowserSession, SessionCookies } from "../http/session-cookies.ts";
import type { Runtime } from "../runtime.ts";
import { hiddenFields } from "./fields.ts";
import type { Viewer, Viewers } from "./viewer.ts";

/** The fields of a submitted form. */
export type Fields = ReadonlyMap<string, string>;

export interface FormDeps {
  runtime: Pick<Runtime, "now" | "id">;
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  viewers: Pick<Viewers, "find">;
}

/** A request as the router passes it. */
export interface PageRequest {
  request: Request;
  params?: Record<string, string>;
}

export type PageHandler = (pageRequest: PageRequest) => Promise<Response>;

/** Mounts what answers a route, for the methods that the route has. */
export function mount(app: Elysia, name: RouteName, answer: PageHandler): void {
  const { path, methods }: Route = ROUTES[name];
  if (methods.includes("GET")) app.get(path, answer);
  if (methods.includes("POST")) app.post(path, answer, { parse: "none" });
}

/** A request, before it is known whether its sender may see the page. */
export interface Arrival {
  request: Request;
  context: RequestContext;
  params: Readonly<Record<string, string>>;
  viewer: Viewer;
  session: BrowserSession;
}

/** A request of somebody who may see the page. */
export interface FormVisit<Who> extends Arrival {
  who: Who;
  /** The page's address with its query; an upload or a download belongs to the page with its form. */
  url: URL;
  nowMs: number;
  /** The actor for the audit log; for a submitted form, with its number. */
  actor: Actor;
  /** What was typed into a form that is shown again. */
  typed: Fields | null;
  /** Makes a form of this page. @param act name of the page's action */
  form(act: string, inside: Html, options?: FormOptions): Html;
}

export interface FormOptions {
  hidden?: Readonly<Record<string, string | null>>;
  /** What the form was made from, so that a change made since then is noticed; not carried into the form shown again. */
  version?: string;
  /** Where it is sent, if not to its own page. */
  action?: string;
  encoding?: "multipart/form-data";
  className?: string;
}

/** A form submitted by somebody who may. */
export interface Sent<Who> extends FormVisit<Who> {
  fields: Fields;
  /** What a field was filled in with; empty if it was not. */
  given(name: string): string;
}

/** The result of a form, shown above the page: one sentence, and a link that is shown only once. Null opens the page again. */
export type Outcome = { note: string; link?: string } | { main: Html } | Response | null;

export interface Question {
  question: string;
  button: string;
  /** Fields to fill in before the button. */
  fields?: Html;
}

/** Performs an action. Refuses with a `ServiceError` or an `OperatorError`, whose message is shown. */
export type Run<Who> = (sent: Sent<Who>) => Promise<Outcome> | Outcome;

/** An action that a form can trigger; what is not easily undone asks for confirmation first, unless the question is null. */
export type Act<Who> =
  Run<Who> | { ask(sent: Sent<Who>): Question | null | Promise<Question | null>; run: Run<Who> };

export interface FormPage<Who> {
  title: string | ((visit: FormVisit<Who>) => Promise<string> | string);
  main(visit: FormVisit<Who>): Promise<Html | Response> | Html | Response;
  acts: Readonly<Record<string, Act<Who>>>;
}

/** Pages that have the same visitors and the same frame. */
export interface Family<Who> {
  /** Whether its visitors are owners, and have to be when what they sent is carried out. */
  isOwners?: true;
  /** The visitor; a response for those who may not see the page; null for those who have to sign in. */
  enter(arrival: Arrival): Who | Response | null | Promise<Who | Response | null>;
  frame(visit: FormVisit<Who>, title: string, main: Html, status: number): Response | Promise<Response>;
}

/** Format of a form's number. */
const NUMBER = /^[0-9a-zA-Z-]{1,64}$/;
/** Never shown again. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["csrf", "password", "sure"]);

/** Answers the requests for the pages of a family. */
export class Forms<Who> {
  constructor(
    private readonly deps: FormDeps,
    private readonly family: Family<Who>,
  ) {}

  /** Answers the requests for a page: shows it, or carries out the form that was sent to it. */
  at(page: FormPage<Who>): PageHandler {
    return (pageRequest) =>
      this.visit(page, pageRequest, (visit) =>
        visit.request.method === "POST" ? this.act(page, visit) : this.show(page, visit),
      );
  }

  private async act(page: FormPage<Who>, visit: FormVisit<Who>): Promise<Response> {
    const fields = await this.deps.sessionCookies.fields(visit.request);
    const again = withForms(visit, this.deps, fields);
    if (fields.get("csrf") !== visit.session.csrf)
      return this.show(page, again, refusalNote(OTHER_SESSION), 403);
    return this.guard(page, again, async () => {
      const sent = this.sent(visit, fields);
      const { ask, run } = findAct(page, fields);
      const isSure = fields.get("sure") === "yes";
      const question = isSure ? null : await ask(sent);
      if (question !== null) return this.framed(page, sent, questionNote(sent, question));
      try {
        return await this.pageAfter(sent, page, await run(sent));
      } catch (refused) {
        const again = refused instanceof WrongPassword ? await ask(sent) : null;
        if (again === null) throw refused;
        const main = html`${refusalNote("Wrong password.")} ${questionNote(sent, again)}`;
        return this.framed(page, sent, main, 403);
      }
    });
  }

  /**
   * Answers a request for a page, or for an upload or a download that belongs to one; refusals are shown on the page.
   * @param path the page's path, where the request's own is another
   */
  async visit(
    page: FormPage<Who>,
    { request, params = {} }: PageRequest,
    work: (visit: FormVisit<Who>) => Promise<Response>,
    path?: string,
  ): Promise<Response> {
    const { contextOf, viewers, sessionCookies, runtime } = this.deps;
    const context = contextOf(request);
    const { origin } = context.baseUrls;
    const viewer = await viewers.find(request);
    const session =
      viewer.kind === "person" ? viewer.browserSession : await sessionCookies.browserSession(request);
    const arrival: Arrival = { request, context, params, viewer, session };
    const url = new URL((path ?? context.pathname) + context.search, origin);
    const who = await this.family.enter(arrival);
    if (who === null) {
      // To sign in, and back to where they were.
      const next = encodeURIComponent(url.pathname + url.search);
      return redirectTo(`${origin}${ROUTES.signIn.path}?next=${next}`, session.cookies);
    }
    if (who instanceof Response) return who;
    const { person } = session;
    const actor: Actor = {
      ...OPERATOR,
      ...(person && { actor: person.userId }),
      ...(this.family.isOwners === true && { asOwner: true }),
      address: context.address,
      userAgent: request.headers.get("user-agent"),
    };
    const visit = withForms({ ...arrival, who, url, nowMs: runtime.now(), actor }, this.deps, null);
    return this.guard(page, visit, () => work(visit));
  }

  /** A submitted form, with its number as the actor's. Refuses one without a number. */
  sent(visit: FormVisit<Who>, fields: Fields): Sent<Who> {
    const number = fields.get("once") ?? "";
    // Scripts that sign in name no action, and send no number.
    if (fields.has("act") && !NUMBER.test(number))
      throw invalid("This form is incomplete. Reload the page and try again.");
    const form = number === "" ? null : `${visit.actor.actor} ${number}`;
    return { ...visit, fields, given: (name) => fields.get(name) ?? "", actor: { ...visit.actor, form } };
  }

  /** The page after an action. */
  async pageAfter(sent: FormVisit<Who>, page: FormPage<Who>, outcome: Outcome): Promise<Response> {
    if (outcome instanceof Response) return outcome;
    if (outcome === null) return redirectTo(sent.url.href, sent.session.cookies);
    if ("main" in outcome) return this.framed(page, sent, outcome.main);
    return this.show(page, withForms(sent, this.deps, null), outcomeNote(outcome));
  }

  private async guard(
    page: FormPage<Who>,
    visit: FormVisit<Who>,
    work: () => Promise<Response>,
  ): Promise<Response> {
    try {
      return await work();
    } catch (refused) {
      const { message, status, headers } =
        refused instanceof OperatorError
          ? { message: refused.message, status: 400, headers: {} }
          : refusalOf(refused);
      const again = withForms(visit, this.deps, typedAgain(visit.typed, refused));
      return withHeaders(await this.show(page, again, refusalNote(message), status), headers);
    }
  }

  /** The page, with a note above it. Its own content may be what is refused: then it is left out. */
  private async show(
    page: FormPage<Who>,
    visit: FormVisit<Who>,
    note: Html | null = null,
    status = 200,
  ): Promise<Response> {
    const content = Promise.try(() => page.main(visit));
    const main = await (status === 200 ? content : content.catch(() => html``));
    return main instanceof Response ? main : this.framed(page, visit, html`${note} ${main}`, status);
  }

  private async framed({ title }: FormPage<Who>, visit: FormVisit<Who>, main: Html, status = 200) {
    const words = typeof title === "string" ? title : await title(visit);
    return this.family.frame(visit, words, main, status);
  }
}

/** What a refused form shows again, with a new number: it has written nothing. Overtaken, it is made from the present state. */
function typedAgain(typed: Fields | null, refused: unknown): Fields | null {
  if (typed === null || refused instanceof RepeatedForm) return null;
  const again = new Map(typed);
  again.delete("once");
  if (refused instanceof ServiceError && refused.kind === "conflict") again.delete("version");
  return again;
}

const OTHER_SESSION =
  "This form has expired, or you have signed in or out since. Nothing was done: check the form below and send it again.";

/** The password did not match; the question is asked again. */
export class WrongPassword extends ServiceError {
  constructor() {
    super("forbidden", "Wrong password.");
  }
}

function findAct<Who>({ acts }: FormPage<Who>, fields: Fields): Exclude<Act<Who>, Run<Who>> {
  const [only, ...others] = Object.keys(acts);
  // Scripts that sign in need not name the page's only action.
  const name = fields.get("act") ?? (others.length === 0 ? only : undefined) ?? "";
  const found = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (typeof found === "function") return { ask: () => null, run: found };
  if (found !== undefined) return found;
  throw invalid("Unknown action. Reload the page and try again.");
}

/** The visit with its forms; the one that was sent is filled in with what was typed. */
function withForms<Who>(
  visit: Omit<FormVisit<Who>, "form" | "typed">,
  { runtime }: Pick<FormDeps, "runtime">,
  typed: Fields | null,
): FormVisit<Who> {
  const here = visit.url.pathname + visit.url.search;
  return {
    ...visit,
    typed,
    form(act, inside, { hidden = {}, version, action = here, encoding, className } = {}) {
      const isSame =
        typed !== null &&
        (typed.get("act") ?? act) === act &&
        Object.entries(hidden).every(([name, value]) => value === null || typed.get(name) === value);
      const again = isSame ? typed : undefined;
      const versioned = version === undefined ? {} : { version: again?.get("version") ?? version };
      const own = { once: again?.get("once") ?? runtime.id(), ...versioned, act };
      return html`<form
        method="post"
        action="${action}"
        ${encoding !== undefined && html`enctype="${encoding}"`}
        ${className !== undefined && html`class="${className}"`}
      >
        ${hiddenFields({ ...own, ...hidden, csrf: visit.session.csrf })}
        ${isSame ? fillIn(inside, typed) : inside}
      </form>`;
    },
  };
}

/** Puts typed values into the fields of a form. */
function fillIn(inside: Html, typed: Fields): Html {
  let select = "";
  const escaped = (value: string) => value.replaceAll("&", "&amp;");
  const setFlag = (element: HTMLRewriterTypes.Element, flag: string, isSet: boolean) => {
    if (isSet) element.setAttribute(flag, "");
    else element.removeAttribute(flag);
  };
  const text = new HTMLRewriter()
    .on("input", {
      element(input) {
        const name = input.getAttribute("name") ?? "";
        const type = input.getAttribute("type") ?? "text";
        if (name === "" || SECRET_FIELDS.has(name) || type === "hidden" || type === "file") return;
        const value = typed.get(name);
        if (type === "checkbox" || type === "radio")
          setFlag(input, "checked", value === (input.getAttribute("value") ?? "on"));
        else if (value !== undefined) input.setAttribute("value", escaped(value));
      },
    })
    .on("select", { element: (element) => void (select = element.getAttribute("name") ?? "") })
    .on("option", {
      element(option) {
        const value = typed.get(select);
        if (value !== undefined) setFlag(option, "selected", option.getAttribute("value") === value);
      },
    })
    .on("textarea", {
      element(area) {
        const value = typed.get(area.getAttribute("name") ?? "");
        // HTML drops one line break at the beginning.
        if (value !== undefined) area.setInnerContent(`\n${value}`);
      },
    })
    .transform(inside.text);
  return new Html(text);
}

function outcomeNote({ note, link }: { note: string; link?: string }): Html {
  const shared = html`<p>Share this one-time link. It is shown only once:</p>
    <pre class="secret" id="link" tabindex="0">${link}</pre>`;
  return html`<div class="note" role="status">
    <p>${note}</p>
    ${link !== undefined && shared}
  </div>`;
}

/** The reason why an action was refused. */
export function refusalNote(message: string): Html {
  return html`<p class="error" role="alert" id="problem">${message}</p>`;
}

/** The confirmation before an action that is not easily undone. */
function questionNote<Who>(sent: Sent<Who>, { question, button, fields }: Question): Html {
  const carried = [...sent.fields].filter(([name]) => !SECRET_FIELDS.has(name) && name !== "act");
  const hidden = { ...Object.fromEntries(carried), sure: "yes" };
  const inside = html`${fields} <button class="danger">${button}</button>
    <a class="button" href="${sent.url.pathname}${sent.url.search}">Cancel</a>`;
  return html`<div class="warning" role="alert" id="question">
    <p>${question}</p>
    ${sent.form(sent.fields.get("act") ?? "", inside, { hidden, className: "row" })}
  </div>`;
}
