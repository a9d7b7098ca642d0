const markup = Symbol("markup");

/** HTML from {@link html} or {@link verbatim}. The key is a private symbol, so parsed JSON can never be such an object. */
export type Html = { readonly [markup]: string };

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** A template tag that escapes every value, for text and for quoted attributes. `null`, `undefined` and `false` print nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let result = strings[0] ?? "";
  values.forEach((value, index) => {
    result += print(value) + (strings[index + 1] ?? "");
  });
  return { [markup]: result };
}

/** Marks a constant, such as a style sheet or script, as HTML without escaping it. Never pass external input. */
export function verbatim(text: string): Html {
  return { [markup]: text };
}

/** The markup of the HTML. */
export function render(piece: Html): string {
  return piece[markup];
}

function print(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return isHtml(value) ? value[markup] : value.map(print).join("");
}

function isHtml(value: Html | readonly HtmlValue[]): value is Html {
  return markup in value;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
