import { notFound } from "../../../domain/api-error.ts";
import type { Settings, SettingsPatch } from "../../../domain/settings.ts";
import { type Html, html } from "../../../pages/html.ts";
import { checkboxField, selectField, textField } from "../../components/forms.ts";
import { pageUrl } from "../../components/page-url.ts";
import { type ActionHandler, type ConsoleSection, FormProblem, type PageHandler } from "../../components/section.ts";
import type { SettingTexts } from "../../texts/english-controls.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";
import { parseSettingsChange, readSetting, type SettingField, settingGroups } from "./setting-fields.ts";

const settingsPage: PageHandler = ({ control, texts }) => {
  const { settings: words, tabs } = texts;
  const settings = control.readSettings();
  const main = html`<h1>${tabs.settings}</h1>
${Object.entries(settingGroups).map(
  ([
    group,
    fields,
  ]) => html`<form method="post" action="${pageUrl("settings", group)}/change" class="sheet" aria-labelledby="group-${group}">
<h2 id="group-${group}">${words.groups[group as keyof typeof words.groups]}</h2>
${fields.map((setting) => settingField(texts, setting, settings))}
<button>${words.save}</button>
</form>
`,
)}
<form method="post" action="${pageUrl("settings")}/reset" class="sheet" aria-labelledby="forget">
<h2 id="forget">${words.deleteTitle}</h2>
<p class="small">${words.deleteHint}</p>
${checkboxField({ name: "sure", value: "yes", label: words.sure, isTicked: false })}
<button class="danger">${words.reset}</button>
</form>`;
  return { tab: "settings", title: tabs.settings, main };
};

function settingField({ settings: words }: ConsoleTexts, setting: SettingField, settings: Settings): Html {
  const { label, choices = {} }: SettingTexts = words.fields[setting.name];
  const value = readSetting(settings, setting.name);
  switch (setting.kind) {
    case "number":
      return textField({
        name: setting.name,
        label,
        value: String(value),
        attributes: html`type="number" min="${setting.minimum}" max="${setting.maximum}" required`,
      });
    case "choice":
      return selectField({ name: setting.name, label, choices, chosen: String(value) });
    case "switch":
      return checkboxField({ name: setting.name, value: "on", label, isTicked: value === true });
    case "multiple": {
      const chosen = value as readonly string[];
      const checkboxes = Object.entries(choices).map(([name, text]) =>
        checkboxField({ name: setting.name, value: name, label: text, isTicked: chosen.includes(name) }),
      );
      return html`<fieldset><legend>${label}</legend>${checkboxes}</fieldset>`;
    }
  }
}

const changeSettings: ActionHandler = async ({ control, id, form }) => {
  const fields = Object.hasOwn(settingGroups, id) ? settingGroups[id] : undefined;
  if (fields === undefined) throw notFound("Group of settings");
  await control.changeSettings(parseSettingsChange(fields, form) as SettingsPatch);
  return { to: pageUrl("settings"), flashMessage: "saved" };
};

const resetSandbox: ActionHandler = async ({ control, form, texts }) => {
  if (form.get("sure") !== "yes") throw new FormProblem(texts.problems.unsure);
  await control.reset();
  return { to: pageUrl("settings"), flashMessage: "reset" };
};

export const settingsSection: ConsoleSection = {
  pages: { settings: settingsPage },
  actions: { "settings/{id}/change": changeSettings, "settings/reset": resetSandbox },
};
