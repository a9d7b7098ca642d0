import type { Finding, FindingCode, SessionField } from "./finding.ts";
import { fromWire, type Money } from "./money.ts";
import { readNotPayable } from "./not-payable.ts";

/** The finding in a stored row, a job or an entry. Versions before the facts stored texts for people, which are read here for good. */
export function readFinding(stored: unknown): Finding {
  const finding = stored as Finding;
  return isOfTexts(stored) ? fromTexts(stored) : finding;
}

/** The shape of the first versions. */
type FindingOfTexts = {
  readonly code: FindingCode;
  readonly expected: string;
  readonly found: string;
  readonly amounts?: { readonly expected: Money; readonly found?: Money };
  readonly why?: unknown;
};

function isOfTexts(stored: unknown): stored is FindingOfTexts {
  const { expected, found } = stored as Readonly<Record<string, unknown>>;
  return typeof expected === "string" && typeof found === "string";
}

const SET_BY_OWNER = "set to paid by hand";

function fromTexts({ code, expected, found, amounts, why }: FindingOfTexts): Finding {
  const first = amounts?.expected ?? readAmount(expected) ?? NO_AMOUNT;
  const second = amounts?.found ?? readAmount(found);
  switch (code) {
    case "amount_differs":
    case "total_changed":
      return { code, expected: first, found: second };
    case "refund_failed":
    case "refunded_but_shown":
      return { code, amount: first };
    case "lost_to_dispute":
      return { code, received: first, disputed: second ?? NO_AMOUNT };
    case "currency_differs":
    case "other_session":
    case "other_environment":
      return { code, expected, found };
    case "other_account":
      return { code, expected: expected === "the key's own account" ? null : expected, found };
    case "order_not_payable":
      return { code, why: found === "cancelled, sold out or closed" ? null : readNotPayable(why) };
    case "not_verifiable":
      return { code, missing: expected.replace(" ", "_") as SessionField };
    case "paid_outside":
      return paidOutside(expected, found);
    default:
      return { code };
  }
}

function paidOutside(expected: string, found: string): Finding {
  if (!found.startsWith(SET_BY_OWNER)) return { code: "paid_outside", paidBy: "unclear", markedBy: null };
  const markedBy = found.slice(SET_BY_OWNER.length).replace(/^ by /, "") || null;
  // Only a waiver named the code of the accepted difference here; it has no spaces.
  const accepts = /^[a-z_]+$/.test(expected) ? { accepts: expected as FindingCode } : {};
  return { code: "paid_outside", paidBy: "owner", markedBy, ...accepts };
}

/** An amount in minor units, such as `5000 XOF`. */
function readAmount(text: string): Money | null {
  const [, minor, currency = ""] = /^(\d+) ([A-Z]{3})$/.exec(text) ?? [];
  return minor === undefined ? null : fromWire(Number(minor), currency, "minor");
}

/** For a row whose amount cannot be read: no version of ours stored one. `XTS` is the code of ISO 4217 for no real currency. */
const NO_AMOUNT: Money = { minor: 0, currency: "XTS" };
