import type { Refund } from "@tillkit/core";
import { withoutMark } from "@tillkit/core/hosts";

/**
 * The reason that was sent with a refund, without our mark before it; null for a refund of the dashboard, and once the JSON that was
 * sent is removed with personal data.
 */
export function sentReason({ request, mark }: Pick<Refund, "request" | "mark">): string | null {
  const [, text = ""] = /"reason":"([\w ]{1,60})"/.exec(request) ?? [];
  const reason = withoutMark(text, mark);
  return /^[a-z_]{1,40}$/.test(reason) ? reason : null;
}
