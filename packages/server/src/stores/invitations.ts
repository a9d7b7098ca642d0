import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@tillkit/core";
import type { RecordRow, Records } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";

/** Codes by which a shop may connect. The ledger holds their digests only. */
export type Invitations = {
  /** A new code, which connects one shop within thirty days. It cannot be shown again. */
  create(): Promise<string>;
  /**
   * Uses the code for the shop at this address. A code that the same address used before is accepted again until it is spent, so that a
   * connection that failed half-way can be repeated.
   */
  use(code: string, address: string): Promise<boolean>;
  /** The shop at this address is connected: what it used is worth nothing any more, also for this shop after an operator removed it. */
  spend(address: string): Promise<void>;
  /** The codes that may still connect a shop, the newest first. */
  open(): Promise<readonly OpenInvitation[]>;
  /** From now on the code is unknown. False where it connected its shop, or expired, or was withdrawn before. */
  withdraw(id: string): Promise<boolean>;
};

/** `begins`: the first characters of the code, by which the person who sent it knows it. They are too few to guess the rest. */
export type OpenInvitation = { readonly id: string; readonly begins: string } & Pick<
  Invitation,
  "expiresAt" | "usedBy"
>;

/** `usedBy`: the address of the shop that used the code; null until then. */
type Invitation = {
  readonly expiresAt: number;
  readonly usedBy: string | null;
  readonly isSpent?: true;
  /** Missing in rows of an earlier version. */
  readonly begins?: string;
};

/** The rows belong to no store. */
const STORE = "";
const KIND = "store-invitation";

export function createInvitations(records: Records, clock: Clock): Invitations {
  const limit = serverLimits.rowsPerStoreList;
  /** A shop that used a code may repeat its connection with it until it is connected. */
  const isOpen = ({ usedBy, expiresAt, isSpent }: Invitation) =>
    isSpent !== true && (usedBy !== null || expiresAt > clock.now());

  async function listAll(): Promise<readonly RecordRow[]> {
    const rows = [...(await records.list({ kind: KIND, storeId: STORE, limit }))];
    for (let page = rows; page.length === limit; rows.push(...page)) {
      const { key = "" } = page.at(-1) ?? {};
      page = [...(await records.list({ kind: KIND, storeId: STORE, limit, after: { storeId: STORE, key } }))];
    }
    return rows;
  }

  async function removeExpired(): Promise<void> {
    const expired = (await listAll()).filter(({ value }) => (value as Invitation).expiresAt <= clock.now());
    for (const { key, version } of expired) await records.remove(STORE, KIND, key, version);
  }

  return {
    async create() {
      await removeExpired();
      const code = randomBytes(CODE_BYTES)
        .toString("hex")
        .toUpperCase()
        .replace(/(.{5})(?=.)/g, "$1-");
      const expiresAt = clock.now() + serverLimits.invitationLifetimeMs;
      const invitation: Invitation = { expiresAt, usedBy: null, begins: code.slice(0, 5) };
      await records.put(STORE, KIND, digestOf(code), invitation, "new");
      return code;
    },
    async use(code, address) {
      const row = await records.get(STORE, KIND, digestOf(code));
      if (row === null) return false;
      const invitation = row.value as Invitation;
      const { expiresAt, usedBy, isSpent = false } = invitation;
      if (usedBy !== null) return usedBy === address && !isSpent;
      if (expiresAt <= clock.now()) return false;
      const used: Invitation = { ...invitation, usedBy: address };
      return (await records.put(STORE, KIND, digestOf(code), used, row.version)) === "done";
    },
    async spend(address) {
      for (const { key, value, version } of await listAll()) {
        const invitation = value as Invitation;
        if (invitation.usedBy === address && invitation.isSpent !== true)
          await records.put(STORE, KIND, key, { ...invitation, isSpent: true } satisfies Invitation, version);
      }
    },
    async open() {
      const all = (await listAll()).map(({ key, value }) => ({ id: key, begins: "", ...(value as Invitation) }));
      return all.filter(isOpen).sort((one, other) => other.expiresAt - one.expiresAt);
    },
    async withdraw(id) {
      const row = await records.get(STORE, KIND, id);
      if (row === null || !isOpen(row.value as Invitation)) return false;
      return (await records.remove(STORE, KIND, id, row.version)) === "done";
    },
  };
}

/** 120 bits: thirty hexadecimal digits in six groups. */
const CODE_BYTES = 15;

/** People type codes in small letters, and with blanks for hyphens. The code is random and long, so its digest reveals nothing. */
function digestOf(code: string): string {
  const typed = code.toUpperCase().replace(/[^0-9A-F]/g, "");
  return createHash("sha256").update(`tillkit invitation ${typed}`).digest("hex");
}
