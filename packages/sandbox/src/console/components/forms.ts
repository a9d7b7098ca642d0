import { type Html, type HtmlValue, html } from "../../pages/html.ts";

/** A button in its own form, so it works without JavaScript. */
export function button(action: string, text: string, variant: "main" | "quiet" | "danger" = "main"): Html {
  return html`<form method="post" action="${action}"><button class="${variant}">${text}</button></form>`;
}

export type Choices = Readonly<Record<string, string>>;

export function select(name: string, label: string, choices: Choices, chosen = ""): Html {
  return html`<label class="field"><span>${label}</span><select name="${name}">${Object.entries(choices).map(
    ([value, text]) =>
      value === chosen
        ? html`<option value="${value}" selected>${text}</option>`
        : html`<option value="${value}">${text}</option>`,
  )}</select></label>`;
}

export function field(name: string, label: string, value: string, attributes: HtmlValue = null): Html {
  return html`<label class="field"><span>${label}</span><input name="${name}" value="${value}" autocomplete="off" ${attributes}></label>`;
}

type Checkbox = { name: string; value: string; label: string; isTicked: boolean };

export function checkbox({ name, value, label, isTicked }: Checkbox): Html {
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}" ${isTicked && "checked"}> <span>${label}</span></label>`;
}
