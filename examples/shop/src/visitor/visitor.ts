import { formsOf, type SeenForm, type SeenPage } from "./seen-page.ts";

/** Visits pages over plain HTTP like a browser without JavaScript, with cookies, redirects and forms. */
export type Visitor = {
  open(url: string): Promise<SeenPage>;
  /** Fills in and submits the only form that has all these fields or the given `action`. */
  submit(page: SeenPage, fields: Readonly<Record<string, string>>, action?: RegExp): Promise<SeenPage>;
};

const MAX_REDIRECTS = 10;
const TIMEOUT_MS = 10_000;

export function createVisitor(language: string, onRedirect: (url: string) => void = () => undefined): Visitor {
  const cookies = new Map<string, string>();

  async function open(url: string): Promise<SeenPage> {
    return await follow(url, { method: "GET" });
  }

  async function submit(page: SeenPage, fields: Readonly<Record<string, string>>, action?: RegExp): Promise<SeenPage> {
    const form = formFor(page, Object.keys(fields), action);
    const body = new URLSearchParams([...form.fields]);
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return await follow(form.action, form.method === "POST" ? { method: "POST", body } : { method: "GET" });
  }

  async function follow(first: string, request: RequestInit): Promise<SeenPage> {
    let url = first;
    let next = request;
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      const answer = await fetch(url, {
        ...next,
        headers: headers(),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      for (const cookie of answer.headers.getSetCookie()) storeCookie(cookie);
      const location = answer.headers.get("location");
      if (location === null) return { url, status: answer.status, html: await answer.text() };
      url = new URL(location, url).href;
      next = { method: "GET" };
      onRedirect(url);
    }
    throw new Error(`The pages lead in a circle: ${MAX_REDIRECTS} redirects, the last to ${new URL(url).origin}.`);
  }

  function headers(): Record<string, string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { "Accept-Language": language, Accept: "text/html", ...(cookie === "" ? {} : { Cookie: cookie }) };
  }

  function storeCookie(line: string): void {
    const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split(/=(.*)/s);
    cookies.set(name, value);
  }

  return { open, submit };
}

function formFor(page: SeenPage, names: readonly string[], action: RegExp | undefined): SeenForm {
  const form = formsOf(page).find(
    ({ html, action: target }) =>
      names.every((name) => html.includes(`name="${name}"`)) && (action === undefined || action.test(target)),
  );
  if (form) return form;
  throw new Error(`The page ${new URL(page.url).pathname} has no form with ${names.join(", ") || String(action)}.`);
}
