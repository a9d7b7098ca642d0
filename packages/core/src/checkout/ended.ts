/** How a job ended. `again`: when to try again, null when trying again does not help. */
export type Ended = "done" | { readonly again: number | null; readonly error: string };
