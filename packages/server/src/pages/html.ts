const TEXT = Symbol("html");

/** Text that may stand in a page as it is. Only the functions of this file make it: data that came from outside cannot. */
export type Html = { readonly [TEXT]: string };

/** What a template takes. Text is escaped; null, undefined and false show nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** An auto-escaping template. Attribute values must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const text = strings.map((string, index) => string + show(values[index])).join("");
  return { [TEXT]: text };
}

/** For what is safe already: inline style and script of our own, and Html that only its spaces were changed in. */
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
