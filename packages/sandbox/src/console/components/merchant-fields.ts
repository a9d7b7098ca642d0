import { environments } from "../../organizations/api-keys.ts";
import { readOwner } from "../../organizations/organizations.ts";
import type { Owner } from "../../organizations/owner.ts";
import { type Html, html } from "../../pages/html.ts";
import { selectField } from "./forms.ts";
import { FormProblem, type PageContext } from "./section.ts";

/** The choice of the merchant and the environment of a new resource: what the API key of a request decides. */
export async function merchantFields(
  { service: { store }, texts }: PageContext,
  draft: URLSearchParams,
): Promise<Html> {
  const merchants = await store.database
    .selectFrom("organizations")
    .select(["organization_id", "name"])
    .orderBy("created_at")
    .execute();
  const names = Object.fromEntries(merchants.map(({ organization_id, name }) => [organization_id, name]));
  return html`${selectField({ name: "merchant", label: texts.labels.merchant, choices: names, chosen: draft.get("merchant") ?? "" })}${selectField({ name: "environment", label: texts.labels.environment, choices: texts.newSession.environments, chosen: draft.get("environment") ?? "test" })}`;
}

/** @throws FormProblem, or ApiError `not_found` */
export async function readMerchantFields(
  { service: { store }, texts }: PageContext,
  form: URLSearchParams,
): Promise<Owner> {
  const environment = environments.find((name) => name === form.get("environment"));
  if (environment === undefined) throw new FormProblem(texts.problems.environment);
  return readOwner(store.database, { organization_id: form.get("merchant") ?? "", environment });
}
