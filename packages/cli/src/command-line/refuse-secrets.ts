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
