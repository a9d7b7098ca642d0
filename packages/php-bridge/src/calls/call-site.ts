import { z } from "zod";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import type { Purpose } from "../signed-call.ts";

/** What a copy of the shop must not do with the original's secrets. It may take payments and read: a wrong guess then costs no sale. */
export const ORIGINAL_ONLY: ReadonlySet<Purpose> = new Set(["refund", "decide", "export", "erase"]);

export const siteSchema = z.object({ site: z.url({ protocol: /^https?$/ }).max(500) });

/** The address of the shop that the call names; null where it names none. */
export function siteOf(body: object | null): string | null {
  const parsed = siteSchema.safeParse(body);
  return parsed.success ? parsed.data.site : null;
}

/** The address of the original if the call comes from another address, else null. */
export async function originalOf(
  { engine }: AppContext,
  { config }: ConnectedStore,
  site: string | null,
): Promise<string | null> {
  return site === null ? null : await engine.installations.originalOf(config.id, site, config.url);
}
