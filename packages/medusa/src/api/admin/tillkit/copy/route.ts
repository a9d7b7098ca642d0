import { adminRoute } from "../../../../admin-api/admin-route.ts";
import { answerAboutCopy } from "../../../../admin-api/copied-shop.ts";

/** `POST /admin/tillkit/copy` with `{ address, answer: "moved" | "copy" }` says what this shop is. */
export const POST = adminRoute((admin, { body }) => answerAboutCopy(admin, (body ?? {}) as Record<string, unknown>));
