/** The result of one check. `message`: one sentence that says what is right, or how to fix the problem. */
export type Diagnosis = {
  readonly storeId: string;
  readonly check:
    | "address"
    | "clock"
    | "rest-key"
    | "pairing"
    | "plugin"
    | "currency"
    | "service"
    | "transactions"
    | "webhooks"
    | "copies"
    | "shop";
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
};

export type CheckResult = Omit<Diagnosis, "storeId">;
