import { normaliseId } from "../domain/identifiers.ts";
import type { Page } from "../http/pagination.ts";
import { sessionJson } from "../payments/sessions.ts";
import type { Service } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { RecordPage } from "./event-records.ts";

/** The sessions of every merchant and both environments, newest first. The service's API has no such list. */
export async function listSessions(
  service: Service,
  { limit, offset }: Page,
): Promise<RecordPage<Record<string, unknown>>> {
  const sessions = service.store.database.selectFrom("sessions");
  const { count } = await sessions
    .select((builder) => builder.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const found = await sessions.selectAll().orderBy("seq", "desc").limit(limit).offset(offset).execute();
  return { items: found.map((session) => sessionJson(service, session)), total: count };
}

/** The UUID of the session with this UUID or code `cs_…`. An unknown code is returned unchanged, and null stays null. */
export async function sessionIdOf(database: SandboxDatabase, idOrCode: string | null): Promise<string | null> {
  if (idOrCode === null) return null;
  const id = normaliseId(idOrCode);
  if (!id.startsWith("cs_")) return id;
  const row = await database.selectFrom("sessions").select("session_id").where("code", "=", id).executeTakeFirst();
  return row?.session_id ?? id;
}
