/** A page as a visitor without a browser sees it: its address, its text and its forms. */
export type SeenPage = {
  readonly url: string;
  readonly status: number;
  readonly html: string;
};

export type SeenForm = {
  readonly action: string;
  readonly method: string;
  /** The form's default values, without its buttons. */
  readonly fields: ReadonlyMap<string, string>;
  readonly html: string;
};

/** Parses only the HTML that our own pages use: attributes in double quotes and no nested forms. */
export function formsOf(page: SeenPage): readonly SeenForm[] {
  return [...page.html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([html, attributes = "", inside = ""]) => ({
    action: new URL(attribute(attributes, "action") ?? page.url, page.url).href,
    method: (attribute(attributes, "method") ?? "get").toUpperCase(),
    fields: fieldsOf(inside),
    html,
  }));
}

/** The text between the tags. */
export function textOf(html: string): string {
  return unescapeHtml(html.replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ").replace(/<[^>]*>/g, " "))
    .replace(/[ \n\t]+/g, " ")
    .trim();
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, "s").exec(attributes)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
}

function fieldsOf(html: string): ReadonlyMap<string, string> {
  const inputs = [...html.matchAll(/<input\b([^>]*)>/gs)].map(([, attributes = ""]) => attributes);
  const submitted = inputs.filter((input) => {
    const type = attribute(input, "type") ?? "text";
    return type === "radio" || type === "checkbox" ? /\schecked(?:[\s=]|$)/.test(input) : type !== "submit";
  });
  return new Map(
    submitted.flatMap((input): [string, string][] => {
      const name = attribute(input, "name");
      return name === undefined ? [] : [[name, attribute(input, "value") ?? ""]];
    }),
  );
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => CHARACTERS[name] ?? whole);
}
