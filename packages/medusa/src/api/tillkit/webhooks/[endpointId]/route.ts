import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import type { TillkitModule } from "../../../../modules/tillkit/index.ts";

/** `POST /tillkit/webhooks/:endpointId` receives the service's webhooks. */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const runtime = await request.scope
    .resolve<TillkitModule>("tillkit")
    .runtime()
    .catch(() => null);
  if (!runtime) {
    response
      .status(503)
      .json({ code: "storage_unavailable", message: "The database with Tillkit's tables does not answer." });
    return;
  }
  await runtime.handleWebhook(request, response, request.params.endpointId ?? "");
}
