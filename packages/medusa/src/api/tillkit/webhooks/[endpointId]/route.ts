import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import type { TillkitModule } from "../../../../modules/tillkit/index.ts";
import { takeWebhook } from "../../../../webhooks/take-webhook.ts";

/** `POST /tillkit/webhooks/:endpointId`: where the service delivers. */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const till = await request.scope
    .resolve<TillkitModule>("tillkit")
    .till()
    .catch(() => null);
  if (!till) {
    response.status(503).json({ code: "storage_unavailable", message: "Tillkit's tables cannot be reached." });
    return;
  }
  const answer = await takeWebhook(till, request, request.params.endpointId ?? "");
  if (!answer) return;
  const { status, code, message } = answer;
  response.status(status).set("Cache-Control", "no-store").json({ code, message });
}
