import { type Kysely, sql } from "kysely";
import type { DatabaseCondition } from "../database/database.ts";
import { commitsWaitError, isUnanswered } from "./postgres-errors.ts";

/** A commit that waits this long for a standby is not merely slow. */
const STANDBY_WAIT_SECONDS = 2;
/**
 * Fewer than the connections of a process: a commit that its process gave up keeps its connection at the server, which allows 100
 * by default.
 */
const MAX_WAITING_COMMITS = 8;

/** Watches for commits that wait for a lost standby: PostgreSQL lets such commits wait forever, without an error. */
export function createCommitWatch<Schema>(db: Kysely<Schema>) {
  let unanswered = 0;

  async function countWaitingCommits(): Promise<{ readonly isStandby: boolean; readonly waiting: number }> {
    const { rows } = await sql<{ standby: boolean; waiting: number }>`
      select pg_is_in_recovery() as standby, count(*) as waiting from pg_stat_activity
      where wait_event = 'SyncRep' and now() - query_start > make_interval(secs => ${STANDBY_WAIT_SECONDS})`.execute(
      db,
    );
    return { isStandby: rows[0]?.standby ?? false, waiting: rows[0]?.waiting ?? 0 };
  }

  return {
    async condition(): Promise<DatabaseCondition> {
      const { isStandby, waiting } = await countWaitingCommits();
      if (isStandby) return "standby";
      return waiting === 0 ? "ready" : "commits_wait";
    },
    /**
     * Runs a transaction. After `MAX_WAITING_COMMITS` transactions without an answer it first asks the server for waiting commits,
     * so that commits which wait for a standby do not use up all connections.
     * @throws DatabaseError `database_busy`
     */
    async watch<Result>(transaction: () => Promise<Result>): Promise<Result> {
      if (unanswered >= MAX_WAITING_COMMITS) {
        const { waiting } = await countWaitingCommits();
        if (waiting >= MAX_WAITING_COMMITS) throw commitsWaitError(waiting);
      }
      try {
        const result = await transaction();
        unanswered = 0;
        return result;
      } catch (error) {
        if (isUnanswered(error)) unanswered += 1;
        throw error;
      }
    },
  };
}
