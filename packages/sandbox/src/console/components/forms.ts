import { type Html, type HtmlValue, html } from "../../pages/html.ts";

type ActionButton = { action: string; label: string; variant?: "main" | "quiet" | "danger" };

/** A button in its own form, so it works without JavaScript. `action` is the URL that the form posts to. */
export function actionButton({ action, label, variant = "main" }: ActionButton): Html {
  return html`<form method="post" action="${action}"><button class="${variant}">${label}</button></form>`;
}

/** The labels of the choices by their values. */
export type Choices = Readonly<Record<string, string>>;

type SelectField = { name: string; label: string; choices: Choices; chosen?: string };

export function selectField({ name, label, choices, chosen = "" }: SelectField): Html {
  return html`<label class="field"><span>${label}</span><select name="${name}">${Object.entries(choices).map(
    ([value, text]) =>
      value === chosen
        ? html`<option value="${value}" selected>${text}</option>`
        : html`<option value="${value}">${text}</option>`,
  )}</select></label>`;
}

/** `attributes`: more attributes of the input, such as its type and limits. */
type TextField = { name: string; label: string; value: string; attributes?: HtmlValue };

export function textField({ name, label, value, attributes = null }: TextField): Html {
  return html`<label class="field"><span>${label}</span><input name="${name}" value="${value}" autocomplete="off" ${attributes}></label>`;
}

type CheckboxField = { name: string; value: string; label: string; isTicked: boolean };

export function checkboxField({ name, value, label, isTicked }: CheckboxField): Html {
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${value}" ${isTicked && "checked"}> <span>${label}</span></label>`;
}
