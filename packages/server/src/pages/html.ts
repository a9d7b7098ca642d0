const MARKUP = Symbol("markup");

/** HTML from `html` or `verbatim`. The key is a private symbol, so parsed JSON can never be such an object. */
export type Html = { readonly [MARKUP]: string };

/** Values of a template. Strings are escaped; null, undefined and false render nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** An auto-escaping template. Attribute values must be in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { [MARKUP]: strings.map((string, index) => string + show(values[index])).join("") };
}

/** Takes markup of our own, such as a style sheet or a script, as Html without escaping it. Never pass external input. */
export function verbatim(markup: string): Html {
  return { [MARKUP]: markup };
}

/** The markup of the HTML. */
export function render(value: Html): string {
  return value[MARKUP];
}

function show(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object") return MARKUP in value ? value[MARKUP] : value.map(show).join("");
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
