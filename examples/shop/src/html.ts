const TRUSTED: unique symbol = Symbol("markup that this template made");

/** Markup that the template below created. Everything else is text and gets escaped. */
export type Html = { readonly [TRUSTED]: string };

type Value = Html | readonly Html[] | string | number | false | null;

/** Escapes every value unless it is markup itself. Attributes must be quoted. `false` and `null` render nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { [TRUSTED]: String.raw({ raw: strings }, ...values.map(markup)) };
}

export function asText(page: Html): string {
  return page[TRUSTED];
}

/** French puts a space before : ; ! ? », and the line must not break there. The texts of core have ordinary spaces. */
export function keepSigns(text: string): string {
  return text.replace(/ (?=[:;!?»])/g, "\u00a0");
}

function markup(value: Value): string {
  if (value === false || value === null) return "";
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return TRUSTED in value ? value[TRUSTED] : value.map(markup).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
