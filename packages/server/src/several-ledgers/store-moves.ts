import { CheckoutError, type Records } from "@tillkit/core";
import { serverLimits } from "../limits.ts";

/** A store left this ledger: no order begins here any more. `movedAt` in milliseconds since 1970. */
export type Departure = { readonly to: string; readonly movedAt: number };

/** A store came to this ledger. The row restores the other ledger's departure after that ledger was restored from a backup. */
export type Arrival = { readonly from: string; readonly movedAt: number };

type Identity = { readonly name: string; readonly firstName: string };

/** The moves of stores as one ledger stores them. A row is written once and never changes. */
export type StoreMoves = {
  departure(storeId: string): Promise<Departure | null>;
  /** Returns the stored departure, which differs from `departure` when the store has left before. */
  addDeparture(storeId: string, departure: Departure): Promise<Departure>;
  addArrival(storeId: string, arrival: Arrival): Promise<void>;
  arrivals(): AsyncGenerator<Arrival & { readonly storeId: string }>;
  /** Stores the identity at the first call. @throws CheckoutError `configuration_invalid` when another identity is stored */
  assertIdentity(identity: Identity): Promise<void>;
};

/** The rows belong to the server: no store has this id, so erasing a store leaves them. */
const STORE = "";
const DEPARTURES = "ledger-departure";
const ARRIVALS = "ledger-arrival";
const IDENTITY = "ledger-identity";

export function createStoreMoves(records: Records): StoreMoves {
  async function putOnce<Value>(kind: string, key: string, value: Value): Promise<Value> {
    if ((await records.put(STORE, kind, key, value, "new")) === "done") return value;
    return ((await records.get(STORE, kind, key))?.value ?? value) as Value;
  }

  return {
    departure: async (storeId) => ((await records.get(STORE, DEPARTURES, storeId))?.value ?? null) as Departure | null,
    addDeparture: (storeId, departure) => putOnce(DEPARTURES, storeId, departure),
    async addArrival(storeId, arrival) {
      await putOnce(ARRIVALS, storeId, arrival);
    },
    async *arrivals() {
      const query = { kind: ARRIVALS, storeId: STORE, limit: serverLimits.movesPerPage };
      for (let rows = await records.list(query); rows.length > 0; ) {
        for (const { key, value } of rows) yield { storeId: key, ...(value as Arrival) };
        rows = await records.list({ ...query, after: { storeId: STORE, key: rows.at(-1)?.key ?? "" } });
      }
    },
    async assertIdentity(identity) {
      const known = (await records.get(STORE, IDENTITY, ""))?.value ?? (await putOnce(IDENTITY, "", identity));
      const { name, firstName } = known as Identity;
      if (name === identity.name && firstName === identity.firstName) return;
      throw new CheckoutError(
        "configuration_invalid",
        `The database of ledger "${identity.name}" belongs to ledger "${name}" with the first ledger "${firstName}": correct the names, the order or the addresses of ledgers.`,
      );
    },
  };
}
