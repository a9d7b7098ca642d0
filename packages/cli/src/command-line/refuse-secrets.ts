import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const SECRET = /svc_sk_(?:test|live)_|whsec_[0-9a-z]/i;

/**
 * Refuses keys and webhook secrets as arguments: the shell's history keeps them, and every user of the machine can list them.
 * @throws UsageError, which does not repeat the argument
 */
export function refuseSecrets(args: readonly string[]): void {
  if (!args.some((argument) => SECRET.test(argument))) return;
  throw new UsageError(
    "A key or webhook secret must not be an argument, because the shell's history keeps it: use SERVICE_SECRET_KEY, SERVICE_WEBHOOK_SECRET or tillkit config init.",
  );
}

const DATABASE_PASSWORD = /postgres(?:ql)?:\/\/[^/@\s:]*:[^/@\s]+@/i;

/** Warns of a database's password among the arguments, which is not refused: a script may hold the password of a database on its own machine. */
export function warnOfPasswords(args: readonly string[], terminal: Terminal): void {
  if (!args.some((argument) => DATABASE_PASSWORD.test(argument))) return;
  terminal.notice(
    "The password of the database is in the shell's history and in the list of processes: set DATABASE_URL instead of --ledger.",
  );
}
