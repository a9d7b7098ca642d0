import { readFileSync } from "node:fs";

type Base = {
  readonly secret: string;
  readonly previousSecret: string;
  readonly otherSecret: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly store: string;
};

type Headers = Readonly<Record<"X-Tillkit-Store" | "X-Tillkit-Time" | "X-Tillkit-Signature", string>>;
type CallVector = {
  readonly title: string;
  readonly purpose: "refund" | "status" | "check" | "health" | "preview" | "mark-paid" | "hold" | "ping";
  readonly body: string;
  readonly headers: Headers;
};

type Calls = Base & {
  /** What the plugin says that the order shows, in the call `refund`. */
  readonly refundShown: { readonly total: string; readonly refunds: readonly object[] };
  readonly signed: readonly CallVector[];
  readonly read: readonly (CallVector & { readonly now: number; readonly result: string })[];
};

export type MarkPaidCase = {
  readonly title: string;
  readonly order: {
    readonly status: string;
    readonly total: string;
    readonly currency: string;
    readonly key: string;
    readonly payment_method: string;
    readonly transaction?: string;
    readonly paid: boolean;
    readonly meta: Readonly<Record<string, string>>;
  } | null;
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: {
    readonly status: number;
    readonly code?: string;
    readonly outcome?: string;
    readonly order_status?: string | null;
    readonly paid?: boolean;
    readonly paid_by?: string | null;
  };
  /** How many times the call marked the order paid. */
  readonly effects: number;
};

type HoldCase = {
  readonly title: string;
  readonly order: MarkPaidCase["order"];
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: {
    readonly status: number;
    readonly code?: string;
    readonly outcome?: string;
    readonly order_status?: string | null;
  };
  /** The meta `_tillkit_hold` after the call; null if the order has none. */
  readonly marked: string | null;
};

const ofBridge = "../../php-bridge/vectors";

export const calls: Calls = read(`${ofBridge}/calls`);
export const markPaidCases: { readonly now: number; readonly cases: readonly MarkPaidCase[] } =
  read("../vectors/mark-paid");
export const holdCases: { readonly now: number; readonly cases: readonly HoldCase[] } = read("../vectors/hold");
/** One example of every response. */
export const answers: Readonly<Record<string, unknown>> = read(`${ofBridge}/answers`);

function read<Vectors>(path: string): Vectors {
  return JSON.parse(readFileSync(new URL(`${path}.json`, import.meta.url), "utf8"));
}
