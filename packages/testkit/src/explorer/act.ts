import type { RefundRequest } from "@tillkit/core";
import type { Choice } from "@tillkit/core/back-office";
import type { SessionTerms } from "../simulator/service-readings.ts";

/**
 * What somebody outside does. `payment`: the payments in the order in which they were started, from 0. `via`: the place of the process that
 * gets the request, 0 unless set. `afterMs`: how long after the beginning.
 */
export type Act = { readonly via?: 0 | 1; readonly afterMs?: number } & (
  | { readonly do: "start"; readonly order?: number }
  /** The shopper pays, with other terms than were asked for if `wrong` is set. */
  | { readonly do: "pay"; readonly payment?: number; readonly wrong?: Partial<SessionTerms> }
  /** A page that was left open takes the money once more. */
  | { readonly do: "pay-again"; readonly payment?: number }
  /** The service delivers an event about the payment's transaction of this number. */
  | { readonly do: "deliver"; readonly event?: string; readonly payment?: number; readonly transaction?: number }
  | { readonly do: "return" | "watch" | "cancel"; readonly payment?: number }
  /** The owner changes the order in the shop. */
  | { readonly do: "close"; readonly as?: "cancelled" | "cash" | "trash"; readonly order?: number }
  | { readonly do: "set-status"; readonly status: "processing" | "pending" | "completed"; readonly order?: number }
  | { readonly do: "edit"; readonly minor: number; readonly order?: number }
  | {
      readonly do: "refund";
      readonly key: string;
      /** Minor units. Default: everything. */
      readonly minor?: number;
      readonly payment?: number;
      readonly origin?: RefundRequest["origin"];
      /** Which decision a click belongs to, if its key does not say it. */
      readonly decision?: string;
    }
  | {
      readonly do: "refund-in-dashboard";
      readonly minor?: number;
      readonly payment?: number;
      readonly transaction?: number;
    }
  | { readonly do: "decide"; readonly choice: Choice; readonly payment?: number }
  | {
      readonly do: "dispute";
      readonly state: "open" | "lost" | "won";
      readonly payment?: number;
      readonly transaction?: number;
    }
  /** A till of the merchant sells something for as much as the payment. */
  | { readonly do: "till-sells" | "till-refunds"; readonly payment?: number }
  | { readonly do: "back-up" | "restore" | "recover" | "newer-job" }
);

export function nameOfAct({ via = 0, afterMs: _, ...act }: Act): string {
  const details = Object.entries(act).map(([name, value]) =>
    name === "do" ? value : `${name} ${JSON.stringify(value)}`,
  );
  return `${details.join(", ")} → process ${via + 1}`;
}
