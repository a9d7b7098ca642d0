import { getI18n } from "react-i18next";
import { fetchCount } from "./api-client.ts";
import { ADMIN_TEXTS } from "./texts.ts";

const REFRESH_MS = 60_000;

/**
 * Shows in Medusa's menu how many payments wait for a person: "Payments to review (2)". Medusa's menu items have no badge, so the
 * count is a part of the item's translated label. The sign-in page shows no count, because it has no session.
 */
export function showMenuCount(): void {
  const { document } = globalThis as { document?: { readonly visibilityState: string } };
  if (!document) return;
  let shown = 0;
  async function refresh(): Promise<void> {
    const i18n = getI18n();
    if (!i18n?.isInitialized || document?.visibilityState === "hidden") return;
    const { count } = await fetchCount();
    if (count === shown) return;
    shown = count;
    for (const [language, { pageTitle }] of Object.entries(ADMIN_TEXTS)) {
      i18n.addResource(language, "tillkit", "menu", count === 0 ? pageTitle : `${pageTitle} (${count})`);
    }
    // The menu is drawn again only when it hears of a changed language.
    i18n.emit("languageChanged", i18n.language);
  }
  const refreshQuietly = () => void refresh().catch(() => undefined);
  setInterval(refreshQuietly, REFRESH_MS);
  // The first count comes sooner. The second try is for an admin whose texts load slowly or whose user has just signed in.
  for (const delayMs of [2_000, 10_000]) setTimeout(refreshQuietly, delayMs);
}
