import { type Html, html } from "../page/html.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Settings, SettingsPatch } from "../service/settings.ts";
import { pageUrl } from "./address.ts";
import { field, select, tick } from "./forms.ts";
import { changeIn, type SettingField, settingAt, settingGroups } from "./setting-fields.ts";
import type { Act, Pages, Show } from "./visit.ts";

const show: Show = ({ control }) => {
  const settings = control.readSettings();
  const main = html`<h1>Settings</h1>
${Object.entries(settingGroups).map(
  ([
    group,
    fields,
  ]) => html`<form method="post" action="${pageUrl("settings", group)}/change" class="sheet" aria-labelledby="group-${group}">
<h2 id="group-${group}">${group}</h2>
${fields.map((one) => settingField(one, settings))}
<button>Save</button>
</form>
`,
)}
<form method="post" action="${pageUrl("settings")}/reset" class="sheet" aria-labelledby="forget">
<h2 id="forget">Forget everything</h2>
<p class="small">Sessions, transactions, customers, endpoints, events and deliveries are deleted. Merchants, keys, settings and clock stay.</p>
${tick("sure", "yes", "Yes, delete all of it", false)}
<button class="danger">Reset</button>
</form>`;
  return { tab: "settings", title: "Settings", main };
};

function settingField(one: SettingField, settings: Settings): Html {
  const value = settingAt(settings, one.name);
  switch (one.kind) {
    case "number":
      return field(
        one.name,
        one.label,
        String(value),
        html`type="number" min="${one.least}" max="${one.most}" required`,
      );
    case "choice":
      return select(one.name, one.label, one.choices, String(value));
    case "switch":
      return tick(one.name, "on", one.label, value === true);
    case "set": {
      const chosen = value as readonly string[];
      const ticks = Object.entries(one.choices).map(([name, text]) =>
        tick(one.name, name, text, chosen.includes(name)),
      );
      return html`<fieldset><legend>${one.label}</legend>${ticks}</fieldset>`;
    }
  }
}

const change: Act = async ({ control, id, form }) => {
  const fields = Object.hasOwn(settingGroups, id) ? settingGroups[id] : undefined;
  if (fields === undefined) throw notFound("Group of settings");
  await control.changeSettings(changeIn(fields, form) as SettingsPatch);
  return { to: pageUrl("settings"), notice: "saved" };
};

const reset: Act = async ({ control, form }) => {
  if (form.get("sure") !== "yes")
    throw new Refusal("bad_request", "Nothing was deleted: tick the box to say that you are sure.");
  await control.reset();
  return { to: pageUrl("settings"), notice: "reset" };
};

export const settingsPages: Pages = {
  shows: { settings: show },
  acts: { "settings/{id}/change": change, "settings/reset": reset },
};
