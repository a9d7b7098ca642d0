const TEXT = Symbol("html");

/** Markup that needs no escaping. Only the functions of this file create it, so data from outside is always escaped. */
export type Html = { readonly [TEXT]: string };

/** Values of a template. Text is escaped; null, undefined and false render nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** An auto-escaping template. Attribute values must be in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const text = strings.map((string, index) => string + show(values[index])).join("");
  return { [TEXT]: text };
}

/** Marks text as safe: our own inline style and script, and Html in which only spaces were changed. */
export function trusted(text: string): Html {
  return { [TEXT]: text };
}

export function htmlText(value: Html): string {
  return value[TEXT];
}

function show(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object") return TEXT in value ? value[TEXT] : value.map(show).join("");
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
