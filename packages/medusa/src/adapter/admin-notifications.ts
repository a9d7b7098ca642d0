import { codeOf, type Log } from "@tillkit/core";
import { type MedusaContainer, notificationModuleOf } from "../store/medusa-container.ts";

/** Two notifications with the same key are shown once. */
export type AdminNotification = { readonly key: string; readonly title: string; readonly text: string };

/**
 * Shows a notification in Medusa's admin. A failure is logged and not thrown: a store without a provider for the channel
 * "feed" still finds held payments on our admin page and failed refunds in the order's widget.
 */
export async function notifyOwner(
  container: MedusaContainer,
  log: Log,
  { key, title, text }: AdminNotification,
): Promise<void> {
  try {
    await notificationModuleOf(container).createNotifications({
      to: "", // the feed has no recipient
      channel: "feed",
      template: "admin-ui",
      idempotency_key: `tillkit:${key}`,
      data: { title, description: text },
    });
  } catch (error) {
    log.warn("admin_notification.failed", { key, code: codeOf(error) });
  }
}
