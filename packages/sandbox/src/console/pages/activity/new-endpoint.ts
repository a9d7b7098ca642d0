import { webhookEndpointRequestSchema } from "@tillkit/client/schemas";
import { CHECKOUT_EVENTS, EVENT_NAMES } from "@tillkit/client/webhooks";
import { validate } from "../../../http/validate.ts";
import { html } from "../../../pages/html.ts";
import { inDatabaseTransaction } from "../../../runtime/service.ts";
import { assertDeliveryUrl } from "../../../webhooks/delivery-url.ts";
import { createEndpoint } from "../../../webhooks/endpoints.ts";
import { checkboxField, textField } from "../../components/forms.ts";
import { merchantFields, readMerchantFields } from "../../components/merchant-fields.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, PageHandler } from "../../components/section.ts";

const subscribableEvents = EVENT_NAMES.filter((name) => name !== "test.webhook");

export const newEndpointPage: PageHandler = async (request) => {
  const { draft, texts } = request;
  const chosen: readonly string[] = draft.size > 0 ? draft.getAll("events") : CHECKOUT_EVENTS;
  const url = textField({
    name: "url",
    label: "URL",
    value: draft.get("url") ?? "",
    attributes: html`type="url" required placeholder="http://127.0.0.1:3000/hooks"`,
  });
  const main = html`<p class="breadcrumb"><a href="${pageUrl("endpoints")}">${texts.tabs.endpoints}</a></p>
<h1>${texts.endpoints.new}</h1>
<form method="post" action="${pageUrl("endpoints", "new")}" class="sheet">
${url}${textField({ name: "description", label: texts.labels.description, value: draft.get("description") ?? "", attributes: html`maxlength="255"` })}
${await merchantFields(request, draft)}
<fieldset><legend>${texts.labels.events}</legend>${subscribableEvents.map((name) => checkboxField({ name: "events", value: name, label: name, isTicked: chosen.includes(name) }))}</fieldset>
<p class="small">${texts.endpoints.secretHint}</p>
<button>${texts.endpoints.create}</button>
</form>`;
  return { tab: "endpoints", title: texts.endpoints.new, main };
};

/** Registers the endpoint with the checks of POST /webhooks. */
export const createAction: ActionHandler = async (action) => {
  const { service, form } = action;
  const request = validate(webhookEndpointRequestSchema, {
    url: form.get("url") ?? "",
    authorized_events: form.getAll("events"),
    ...(form.get("description") ? { description: form.get("description") } : {}),
  });
  await assertDeliveryUrl(service, request.url);
  const owner = await readMerchantFields(action, form);
  const { webhook_id, secret } = await inDatabaseTransaction(service, (context) =>
    createEndpoint(context, owner, request),
  );
  return { to: pageUrl("endpoints", webhook_id), flashMessage: "endpoint-created", secret };
};
