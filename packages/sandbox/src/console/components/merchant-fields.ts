import { ApiError } from "../../domain/api-error.ts";
import { environments } from "../../organizations/api-keys.ts";
import { readOwner } from "../../organizations/organizations.ts";
import type { Owner } from "../../organizations/owner.ts";
import { type Html, html } from "../../pages/html.ts";
import type { Service } from "../../runtime/service.ts";
import { selectField } from "./forms.ts";

/** The choice of the merchant and the environment of a new resource: what the API key of a request decides. */
export async function merchantFields({ store }: Service, draft: URLSearchParams): Promise<Html> {
  const merchants = await store.database
    .selectFrom("organizations")
    .select(["organization_id", "name"])
    .orderBy("created_at")
    .execute();
  const names = Object.fromEntries(merchants.map(({ organization_id, name }) => [organization_id, name]));
  return html`${selectField({ name: "merchant", label: "Merchant", choices: names, chosen: draft.get("merchant") ?? "" })}${selectField({ name: "environment", label: "Environment", choices: { test: "Test", live: "Live (no real money moves)" }, chosen: draft.get("environment") ?? "test" })}`;
}

/** @throws ApiError `bad_request`, `not_found` */
export async function readMerchantFields({ store }: Service, form: URLSearchParams): Promise<Owner> {
  const environment = environments.find((name) => name === form.get("environment"));
  if (environment === undefined) throw new ApiError("bad_request", "Choose the environment: test or live.");
  return readOwner(store.database, { organization_id: form.get("merchant") ?? "", environment });
}
