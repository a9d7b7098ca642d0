import { ApiError, notFound } from "../../../domain/api-error.ts";
import type { Settings, SettingsPatch } from "../../../domain/settings.ts";
import { type Html, html } from "../../../pages/html.ts";
import { checkboxField, selectField, textField } from "../../components/forms.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";
import { parseSettingsChange, readSetting, type SettingField, settingGroups } from "./setting-fields.ts";

const settingsPage: PageHandler = ({ control }) => {
  const settings = control.readSettings();
  const main = html`<h1>Settings</h1>
${Object.entries(settingGroups).map(
  ([
    group,
    fields,
  ]) => html`<form method="post" action="${pageUrl("settings", group)}/change" class="sheet" aria-labelledby="group-${group}">
<h2 id="group-${group}">${group}</h2>
${fields.map((setting) => settingField(setting, settings))}
<button>Save</button>
</form>
`,
)}
<form method="post" action="${pageUrl("settings")}/reset" class="sheet" aria-labelledby="forget">
<h2 id="forget">Delete everything</h2>
<p class="small">Sessions, transactions, customers, endpoints, events and deliveries are deleted. Merchants, keys, settings and clock stay.</p>
${checkboxField({ name: "sure", value: "yes", label: "Yes, delete everything", isTicked: false })}
<button class="danger">Reset</button>
</form>`;
  return { tab: "settings", title: "Settings", main };
};

function settingField(setting: SettingField, settings: Settings): Html {
  const value = readSetting(settings, setting.name);
  switch (setting.kind) {
    case "number":
      return textField({
        name: setting.name,
        label: setting.label,
        value: String(value),
        attributes: html`type="number" min="${setting.minimum}" max="${setting.maximum}" required`,
      });
    case "choice":
      return selectField({ name: setting.name, label: setting.label, choices: setting.choices, chosen: String(value) });
    case "switch":
      return checkboxField({ name: setting.name, value: "on", label: setting.label, isTicked: value === true });
    case "multiple": {
      const chosen = value as readonly string[];
      const checkboxes = Object.entries(setting.choices).map(([name, text]) =>
        checkboxField({ name: setting.name, value: name, label: text, isTicked: chosen.includes(name) }),
      );
      return html`<fieldset><legend>${setting.label}</legend>${checkboxes}</fieldset>`;
    }
  }
}

const changeSettings: ActionHandler = async ({ control, id, form }) => {
  const fields = Object.hasOwn(settingGroups, id) ? settingGroups[id] : undefined;
  if (fields === undefined) throw notFound("Group of settings");
  await control.changeSettings(parseSettingsChange(fields, form) as SettingsPatch);
  return { to: pageUrl("settings"), flashMessage: "saved" };
};

const resetSandbox: ActionHandler = async ({ control, form }) => {
  if (form.get("sure") !== "yes") throw new ApiError("bad_request", "Nothing was deleted: tick the box to confirm.");
  await control.reset();
  return { to: pageUrl("settings"), flashMessage: "reset" };
};

export const settingsSection: ConsoleSection = {
  pages: { settings: settingsPage },
  actions: { "settings/{id}/change": changeSettings, "settings/reset": resetSandbox },
};
