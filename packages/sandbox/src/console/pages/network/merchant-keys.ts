import { ApiError, notFound } from "../../../domain/api-error.ts";
import { environments, keyKinds, listKeys } from "../../../organizations/api-keys.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Service } from "../../../runtime/service.ts";
import type { ApiKeyRow } from "../../../storage/organization-tables.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler } from "../../components/section.ts";

/** The API keys of a merchant with their buttons. A page never shows a whole key; `GET /organizations` of the control API does. */
export async function merchantKeys({ store }: Service, organizationId: string): Promise<Html> {
  const keys = (await listKeys(store.database, organizationId)).reverse();
  const page = pageUrl("network", organizationId);
  return html`<h2>API keys</h2>
${keys.length === 0 && html`<p class="none">None: all were revoked.</p>`}
${keys.map((key) => keyForm(page, key))}
<div class="control-form">${environments.flatMap((environment) =>
    keyKinds.map((kind) => regenerateForm(page, { environment, kind })),
  )}</div>
<p class="small">A new key is shown by the control API only.</p>`;
}

/** A key is shown by its kind and its last four characters. */
function keyForm(page: string, { key, number, environment, kind }: ApiKeyRow): Html {
  return html`<form method="post" action="${page}/revoke" class="control-form"><span>${kind} ${environment} key <code>…${key.slice(-4)}</code></span><input type="hidden" name="number" value="${number}"><button class="danger">Revoke</button></form>`;
}

function regenerateForm(page: string, { environment, kind }: Pick<ApiKeyRow, "environment" | "kind">): Html {
  return html`<form method="post" action="${page}/regenerate"><input type="hidden" name="environment" value="${environment}"><input type="hidden" name="kind" value="${kind}"><button class="quiet">New ${kind} ${environment} key</button></form>`;
}

/** The form names the key by its number, because the page must not contain the key. */
const revoke: ActionHandler = async ({ service, control, id, form }) => {
  const keys = await listKeys(service.store.database, id);
  const found = keys.find(({ number }) => String(number) === form.get("number"));
  if (found === undefined) throw notFound("API key");
  await control.revokeKey(id, { key: found.key });
  return { to: pageUrl("network", id), flashMessage: "key-revoked" };
};

const regenerate: ActionHandler = async ({ control, id, form }) => {
  const environment = environments.find((name) => name === form.get("environment"));
  const kind = keyKinds.find((name) => name === form.get("kind"));
  if (environment === undefined || kind === undefined)
    throw new ApiError("bad_request", "This kind of key is unknown.");
  await control.regenerateKey(id, { environment, kind });
  return { to: pageUrl("network", id), flashMessage: "key-regenerated" };
};

export const merchantKeyActions: Record<string, ActionHandler> = {
  "network/{id}/revoke": revoke,
  "network/{id}/regenerate": regenerate,
};
