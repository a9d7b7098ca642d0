import { notFound } from "../../../domain/api-error.ts";
import { environments, keyKinds, listKeys } from "../../../organizations/api-keys.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { ApiKeyRow } from "../../../storage/organization-tables.ts";
import { pageUrl } from "../../components/page-url.ts";
import { type ActionHandler, FormProblem, type PageContext } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";

/** The API keys of a merchant with their buttons. A page never shows a whole key; `GET /organizations` of the control API does. */
export async function merchantKeys({ service: { store }, texts }: PageContext, organizationId: string): Promise<Html> {
  const { network } = texts;
  const keys = (await listKeys(store.database, organizationId)).reverse();
  const page = pageUrl("network", organizationId);
  return html`<h2>${network.keys}</h2>
${keys.length === 0 && html`<p class="none">${network.allRevoked}</p>`}
${keys.map((key) => keyForm(texts, page, key))}
<div class="control-form">${environments.flatMap((environment) =>
    keyKinds.map((kind) => regenerateForm(texts, page, { environment, kind })),
  )}</div>
<p class="small">${network.keyHint}</p>`;
}

/** A key is shown by its kind and its last four characters. */
function keyForm(
  { network, environments }: ConsoleTexts,
  page: string,
  { key, number, environment, kind }: ApiKeyRow,
): Html {
  return html`<form method="post" action="${page}/revoke" class="control-form"><span>${network.key(kind, environments[environment])} <code>…${key.slice(-4)}</code></span><input type="hidden" name="number" value="${number}"><button class="danger">${network.revoke}</button></form>`;
}

function regenerateForm(
  { network, environments: names }: ConsoleTexts,
  page: string,
  { environment, kind }: Pick<ApiKeyRow, "environment" | "kind">,
): Html {
  return html`<form method="post" action="${page}/regenerate"><input type="hidden" name="environment" value="${environment}"><input type="hidden" name="kind" value="${kind}"><button class="quiet">${network.newKey(kind, names[environment])}</button></form>`;
}

/** The form names the key by its number, because the page must not contain the key. */
const revoke: ActionHandler = async ({ service, control, id, form }) => {
  const keys = await listKeys(service.store.database, id);
  const found = keys.find(({ number }) => String(number) === form.get("number"));
  if (found === undefined) throw notFound("API key");
  await control.revokeKey(id, { key: found.key });
  return { to: pageUrl("network", id), flashMessage: "key-revoked" };
};

const regenerate: ActionHandler = async ({ control, id, form, texts }) => {
  const environment = environments.find((name) => name === form.get("environment"));
  const kind = keyKinds.find((name) => name === form.get("kind"));
  if (environment === undefined || kind === undefined) throw new FormProblem(texts.problems.keyKind);
  await control.regenerateKey(id, { environment, kind });
  return { to: pageUrl("network", id), flashMessage: "key-regenerated" };
};

export const merchantKeyActions: Record<string, ActionHandler> = {
  "network/{id}/revoke": revoke,
  "network/{id}/regenerate": regenerate,
};
