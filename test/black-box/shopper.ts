/** A page as a shopper without JavaScript sees it. */
export type Page = {
  readonly status: number;
  readonly url: string;
  /** The target of a redirect, or null. */
  readonly location: string | null;
  readonly html: string;
  /** The visible text. */
  readonly text: string;
  readonly fields: readonly Field[];
  readonly links: readonly string[];
  /** The forms, each with the values that its button sends. */
  readonly forms: readonly Form[];
};

export type Field = {
  readonly name: string;
  readonly value: string;
  readonly required: boolean;
  readonly type: string;
};
type Form = { readonly action: string; readonly label: string; readonly values: Readonly<Record<string, string>> };

/** Fetches a page without following redirects, because tests check the redirect's target. */
export async function visit(url: string): Promise<Page> {
  return readPage(url, await fetch(url, { redirect: "manual" }));
}

/** Fills in the form whose button matches `label` and submits the form. */
export async function press(page: Page, label: RegExp, values: Readonly<Record<string, string>> = {}): Promise<Page> {
  const form = page.forms.find((candidate) => label.test(candidate.label));
  if (form === undefined) throw new Error(`No button ${label} on a page that reads: ${page.text}`);
  const url = new URL(form.action, page.url).href;
  const body = new URLSearchParams({ ...form.values, ...values });
  return readPage(url, await fetch(url, { method: "POST", body, redirect: "manual" }));
}

async function readPage(url: string, response: Response): Promise<Page> {
  const html = await response.text();
  const forms = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)];
  return {
    status: response.status,
    url,
    location: response.headers.get("Location"),
    html,
    text: textOf(html),
    fields: fieldsOf(html),
    links: [...html.matchAll(/<a\b([^>]*)>/g)].map(([, tag = ""]) => attribute(tag, "href") ?? ""),
    forms: forms.map(([, tag = "", inside = ""]) => ({
      action: attribute(tag, "action") ?? url,
      label: textOf(/<button\b.*?<\/button>/s.exec(inside)?.[0] ?? ""),
      values: {
        ...Object.fromEntries(fieldsOf(inside).map(({ name, value }) => [name, value])),
        ...buttonOf(inside),
      },
    })),
  };
}

/** The input fields with their values; of radio buttons, only the checked one. */
function fieldsOf(html: string): readonly Field[] {
  return [...html.matchAll(/<input\b([^>]*)>/g)].flatMap(([, tag = ""]) => {
    const name = attribute(tag, "name");
    const type = attribute(tag, "type") ?? "text";
    if (name === null || (type === "radio" && !/\schecked\b/.test(tag))) return [];
    const required = /\s(aria-required="true"|required)/.test(tag);
    return [{ name, type, required, value: attribute(tag, "value") ?? "" }];
  });
}

function buttonOf(html: string): Record<string, string> {
  const tag = /<button\b([^>]*)>/.exec(html)?.[1] ?? "";
  const name = attribute(tag, "name");
  return name === null ? {} : { [name]: attribute(tag, "value") ?? "" };
}

/** The values of the radio buttons of that name. */
export function choicesOf(page: Page, name: string): readonly string[] {
  return [...page.html.matchAll(/<input\b([^>]*type="radio"[^>]*)>/g)]
    .map(([, tag = ""]) => tag)
    .filter((tag) => attribute(tag, "name") === name)
    .map((tag) => attribute(tag, "value") ?? "");
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : unescapeHtml(value);
}

function textOf(html: string): string {
  const visible = html.replace(/<(style|script|head)\b.*?<\/\1>/gs, "").replace(/<[^>]+>/g, " ");
  return unescapeHtml(visible).replace(/\s+/g, " ").trim();
}

function unescapeHtml(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return hex === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number.parseInt(hex, 16));
  });
}
