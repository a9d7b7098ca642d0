import { confirmOnReturn, type Payment, watchPayment } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { webUrl } from "../web-url.ts";
import { type Outlook, outlookOf } from "./outlook.ts";
import { go, type Reply, showPage } from "./reply.ts";
import { shopUrl } from "./shop-url.ts";
import { linkTo, type Visit } from "./visit.ts";

/** The shopper came back from the hosted page, or their waiting page looks again. That they came back proves nothing. */
export async function visitReturn(visit: Visit): Promise<Reply> {
  const { engine, paymentId } = visit;
  const standing = await (visit.since === null ? confirmOnReturn : watchPayment)(engine, paymentId);
  return await replyTo(visit, await outlookOf(visit, standing));
}

async function replyTo(visit: Visit, { say, payment }: Outlook): Promise<Reply> {
  switch (say) {
    case "paid":
      return await leaveTo(visit, payment);
    case "recording":
      return await watchedPage(visit, { name: "paid", say, payment, actionUrl: null });
    case "waiting":
    case "declined":
      return await watchedPage(visit, { name: say, say, payment, actionUrl: linkTo(visit, "pay") });
    case "lapsed":
      return await watchedPage(visit, { name: "expired", say, payment, actionUrl: linkTo(visit, "pay") });
    default:
      return showPage(say, 200, { payment, shopUrl: await shopUrl(visit.engine, payment, "paid") });
  }
}

async function leaveTo({ engine }: Visit, payment: Payment): Promise<Reply> {
  const url = webUrl(payment.continueUrl) ?? (await shopUrl(engine, payment, "paid"));
  return url === null ? showPage("paid", 200, { payment }) : go(url);
}

type Watched = {
  readonly name: "waiting" | "paid" | "declined" | "expired";
  readonly say: Outlook["say"];
  readonly payment: Payment;
  readonly actionUrl: string | null;
};

async function watchedPage(visit: Visit, { name, say, payment, actionUrl }: Watched): Promise<Reply> {
  const now = visit.engine.clock.now();
  const since = visit.since ?? now;
  const refreshMs = now - since > hostLimits.waitedLongMs ? hostLimits.lateRefreshMs : hostLimits.refreshMs;
  const watch = {
    say,
    statusUrl: linkTo(visit, "status", since),
    nextUrl: linkTo(visit, "return", since),
    refreshSeconds: refreshMs / 1_000,
  };
  const outcome = name === "paid" ? "paid" : "waiting";
  return showPage(name, 200, { payment, actionUrl, watch, shopUrl: await shopUrl(visit.engine, payment, outcome) });
}
