/** How many calls each credential has made, counted over all processes that share a ledger. */
export interface SharedBudget {
  /**
   * Takes one call out of every window at once, or of none. Windows follow each other without a gap from 1970 on.
   * @returns 0 when it was taken, else the milliseconds until every window has room again
   */
  spend(want: { credentialId: string; now: number; windows: readonly BudgetWindow[] }): Promise<number>;
}

/** `calls` is how many this caller may use up: a caller that leaves a reserve to others names less. */
export type BudgetWindow = { readonly name: string; readonly perMs: number; readonly calls: number };
