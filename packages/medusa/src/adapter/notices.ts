import { codeOf, type Log } from "@tillkit/core";
import { type MedusaContainer, notificationsOf } from "../shop/medusa-container.ts";

/** One line for the owner. The same key twice is one notice. */
export type Notice = { readonly key: string; readonly title: string; readonly text: string };

/**
 * Puts a notice into the bell of Medusa's admin. A shop without a provider for the channel "feed" finds held payments on our
 * page and failed refunds beside their order all the same, so nothing fails for want of a bell.
 */
export async function tellOwner(container: MedusaContainer, log: Log, { key, title, text }: Notice): Promise<void> {
  try {
    await notificationsOf(container).createNotifications({
      to: "",
      channel: "feed",
      template: "admin-ui",
      idempotency_key: `tillkit:${key}`,
      data: { title, description: text },
    });
  } catch (error) {
    log.warn("notice.not_shown", { key, code: codeOf(error) });
  }
}
