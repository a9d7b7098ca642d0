import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import type { TillkitModule } from "../../../../../modules/tillkit/index.ts";
import { answerReturn } from "../../../../../returns/answer-return.ts";

/** `POST /store/tillkit/returns/:token`: a shopper came back; `?again` from the second time on. */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const till = await request.scope.resolve<TillkitModule>("tillkit").till();
  const answer = await answerReturn(till, request.params.token ?? "", "again" in request.query);
  response
    .status(answer.say === "unknown" ? 404 : 200)
    .set("Cache-Control", "no-store")
    .json(answer);
}
