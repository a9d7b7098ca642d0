/** Counts the calls of each credential over all processes that share a ledger. */
export interface SharedBudget {
  /**
   * Takes one call from every window, or from none. Windows are consecutive intervals since 1970.
   * @returns 0 when the call was taken, otherwise the milliseconds until every window has room
   */
  spend(request: { credentialId: string; now: number; windows: readonly BudgetWindow[] }): Promise<number>;
}

/** `calls` is the number of calls that this caller may use of the window. It is lower for a caller that leaves a reserve to others. */
export type BudgetWindow = { readonly name: string; readonly perMs: number; readonly calls: number };
