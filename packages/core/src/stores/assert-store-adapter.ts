import { CheckoutError } from "../domain/checkout-error.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";

/**
 * An adapter in plain JavaScript may lack a method. Hosts check their adapters when they start, so that the mistake is found before
 * the first payment.
 *
 * @throws CheckoutError `configuration_invalid`, with what the adapter lacks
 */
export function assertStoreAdapter(storeId: string, adapter: unknown): asserts adapter is StoreAdapter {
  const problem = findProblem(adapter);
  if (problem !== null)
    throw new CheckoutError("configuration_invalid", `The adapter of the store "${storeId}" ${problem}.`);
}

const REQUIRED_METHODS = ["findOrder", "markPaid", "holdForReview", "shopperUrl"] as const;
const OPTIONAL_METHODS = [
  "markPending",
  "markRefused",
  "recordRefund",
  "addNote",
  "listUnsettled",
  "adminUrl",
  "assertReachable",
] as const;

function findProblem(adapter: unknown): string | null {
  if (typeof adapter !== "object" || adapter === null) return "is not an object";
  const fields = adapter as Readonly<Record<string, unknown>>;
  const missing = REQUIRED_METHODS.filter((name) => typeof fields[name] !== "function");
  if (missing.length > 0) return `lacks ${missing.map((name) => `${name}()`).join(", ")}`;
  const wrong = OPTIONAL_METHODS.find((name) => fields[name] !== undefined && typeof fields[name] !== "function");
  if (wrong !== undefined) return `has a ${wrong} that is not a function`;
  if (!isWriteClass(fields.writes)) return WRITES_MISSING;
  return findWrongMember(fields.memberWrites);
}

const MEMBERS_WITH_A_CLASS: ReadonlySet<string> = new Set([
  "holdForReview",
  "markPending",
  "markRefused",
  "recordRefund",
  "addNote",
]);

function findWrongMember(memberWrites: unknown): string | null {
  if (memberWrites === undefined) return null;
  if (typeof memberWrites !== "object" || memberWrites === null) return "has memberWrites that are not an object";
  const wrong = Object.entries(memberWrites).find(
    ([member, writes]) => !MEMBERS_WITH_A_CLASS.has(member) || (writes !== undefined && !isWriteClass(writes)),
  );
  if (wrong === undefined) return null;
  return `has memberWrites.${wrong[0]}, which must be holdForReview, markPending, markRefused, recordRefund or addNote with a class like that of writes`;
}

const WRITES_MISSING =
  'must say how it writes: writes: { kind: "conditional" } or { kind: "read-then-write", settleAfterMs: 120000 }';

function isWriteClass(writes: unknown): boolean {
  if (typeof writes !== "object" || writes === null || !("kind" in writes)) return false;
  return (
    writes.kind === "conditional" ||
    (writes.kind === "read-then-write" && "settleAfterMs" in writes && typeof writes.settleAfterMs === "number")
  );
}
