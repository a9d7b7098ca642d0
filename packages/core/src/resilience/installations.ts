import { isLoopbackUrl, parseUrl } from "@tillkit/client";
import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Records } from "../ports/records.ts";
import { allRecords } from "./all-records.ts";
import { createRecordsOfProcess } from "./stored-blocks.ts";

/** An address that is none of the original's, as a person sees it. `seenAt`: milliseconds since 1970. */
export type FoundCopy = {
  /** The store whose plug-in named the address; "" for the host of this ledger. */
  readonly storeId: string;
  /** Such as `staging.example/shop`. */
  readonly address: string;
  readonly original: string;
  readonly seenAt: number;
};

/**
 * Where a host or a shop runs, so that a copy of it is recognised: a copied database carries every secret of the original. Each has a list
 * of addresses, because a shop may have a domain for each language, and may move.
 */
export type Installations = {
  /**
   * The address of the original if `url` is none of its addresses; null if it is one. The original is at the address that is configured;
   * where none is, at the first address ever named that is not of this machine. `storeId`: "" for the host of this ledger.
   */
  originalOf(storeId: string, url: string, configuredUrl?: string): Promise<string | null>;
  /** A person's answer: `moved`, the shop is at this address too; `copy`, nobody is asked about this address again. */
  answer(storeId: string, url: string, answer: InstallationAnswer): Promise<void>;
};

export type InstallationAnswer = "moved" | "copy";

/** The host name without `www.`, and the path: `shop.example/fr`. A port, http and https make no difference. */
export function installationOf(url: string): string {
  const parsed = parseUrl(url);
  return parsed === null ? "" : `${parsed.hostname.replace(/^www\./, "")}${parsed.pathname.replace(/\/+$/, "")}`;
}

type InstallationRecord = {
  readonly known: readonly string[];
  readonly others: readonly { readonly address: string; readonly seenAt: number; readonly isCopy: boolean }[];
};

const KIND = "installation";
const KEY = "";

export function createInstallations(
  records: Pick<Records, "get" | "put"> = createRecordsOfProcess(),
  clock: Clock,
): Installations {
  /** `next` returns null where nothing changes. The result is the record as it is then. */
  async function change(
    storeId: string,
    next: (record: InstallationRecord) => InstallationRecord | null,
  ): Promise<InstallationRecord> {
    for (;;) {
      const row = await records.get(storeId, KIND, KEY);
      const record = (row?.value ?? { known: [], others: [] }) as InstallationRecord;
      const changed = next(record);
      if (changed === null) return record;
      if ((await records.put(storeId, KIND, KEY, changed, row?.version ?? "new")) === "done") return changed;
    }
  }

  return {
    async originalOf(storeId, url, configuredUrl) {
      const address = installationOf(url);
      const configured = configuredUrl === undefined ? [] : [installationOf(configuredUrl)];
      const first = configuredUrl !== undefined || isLoopbackUrl(url) ? configured : [address];
      const { known } = await change(storeId, ({ known: stored, others }) => {
        const known = stored.length === 0 ? first : stored;
        const isKnown = [...configured, ...known].includes(address);
        if (!isKnown && known.length > 0 && !others.some((other) => other.address === address)) {
          return {
            known,
            others: [...others, { address, seenAt: clock.now(), isCopy: false }].slice(-limits.maxCopies),
          };
        }
        return known.length === stored.length ? null : { known, others };
      });
      const [original] = [...configured, ...known];
      return original === undefined || [...configured, ...known].includes(address) ? null : original;
    },
    async answer(storeId, url, answer) {
      const address = installationOf(url);
      await change(storeId, (record) => {
        const others = record.others.filter((other) => other.address !== address);
        const known = record.known.filter((own) => own !== address);
        if (answer === "moved") return { known: [...known, address], others };
        return { known, others: [...others, { address, seenAt: clock.now(), isCopy: true }] };
      });
    },
  };
}

/** The addresses about which no person has answered yet. */
export async function listCopies(records: Pick<Records, "list">): Promise<readonly FoundCopy[]> {
  const found: FoundCopy[] = [];
  for await (const { storeId, value } of allRecords(records, { kind: KIND })) {
    const { known, others } = value as InstallationRecord;
    const unanswered = others.filter(({ isCopy }) => !isCopy);
    found.push(...unanswered.map(({ address, seenAt }) => ({ storeId, address, original: known[0] ?? "", seenAt })));
  }
  return found;
}
