import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { handleReturn } from "../../../../../handle-return.ts";
import type { TillkitModule } from "../../../../../modules/tillkit/index.ts";

/** `POST /store/tillkit/returns/:token` answers a returning shopper. Repeated requests add `?again`. */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const runtime = await request.scope.resolve<TillkitModule>("tillkit").runtime();
  const answer = await handleReturn(runtime, request.params.token ?? "", { isRepeated: "again" in request.query });
  response
    .status(answer.status === "unknown" ? 404 : 200)
    .set("Cache-Control", "no-store")
    .json(answer);
}
