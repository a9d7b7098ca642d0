import { type Html, html } from "../../pages/html.ts";
import type { PageContext } from "./page-context.ts";

export function formTokenField({ formToken: token }: PageContext): Html {
  return html`<input type="hidden" name="form" value="${token}">`;
}

export function hiddenFields(values: Readonly<Record<string, string>>): Html {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`${fields}`;
}
