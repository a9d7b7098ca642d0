const markup = Symbol("markup");

/** A piece of HTML that was built by {@link html} or {@link verbatim}. The symbol is private: no JSON can pass for one. */
export type Html = { readonly [markup]: string };

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** A template that escapes every value, in text and in quoted attributes alike. `null`, `undefined` and `false` print nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => {
    text += print(value) + (strings[index + 1] ?? "");
  });
  return { [markup]: text };
}

/** Our own constants (style sheet, script), which must not be escaped. Never give it anything that came from outside. */
export function verbatim(text: string): Html {
  return { [markup]: text };
}

/** The characters to send. */
export function render(piece: Html): string {
  return piece[markup];
}

function print(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return escaped(value);
  if (typeof value === "number") return String(value);
  return isHtml(value) ? value[markup] : value.map(print).join("");
}

function isHtml(value: Html | readonly HtmlValue[]): value is Html {
  return markup in value;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
