/** A task of a platform that is stored with the ledger. `State` is JSON. Times in milliseconds since 1970. */
export type OutboxTask<State> = {
  readonly storeId: string;
  /** Unique among the tasks of its kind and store. */
  readonly key: string;
  readonly state: State;
  /** How often the task was started, this time included. */
  readonly attempts: number;
};

/**
 * How one run of a task ended. `done`: the row stays, so that the same key is not added again. `later`: the task runs again
 * at `dueAt`. `dead`: a person must act first; `reason` is a sentence for that person, without personal data.
 */
export type TaskResult<State> =
  | { readonly status: "done"; readonly state: State }
  | { readonly status: "later"; readonly state: State; readonly dueAt: number }
  | { readonly status: "dead"; readonly state: State; readonly reason: string };

export type Outbox<State> = {
  /** Resolves when the task is stored durably. `exists`: a task with this key was added before and stays as it is. */
  add(storeId: string, key: string, state: State): Promise<"added" | "exists">;
  /** The task in its current state, done or not; null when there is none. */
  find(storeId: string, key: string): Promise<StoredTask<State> | null>;
  /** Runs the due tasks, several at once. Returns how many ran. */
  runDue(): Promise<number>;
  /** Tasks that wait for a person. */
  listDead(storeId: string): Promise<readonly StoredTask<State>[]>;
  /** Makes a dead task due now, with zero attempts. */
  retryDead(storeId: string, key: string): Promise<void>;
  /** Removes the tasks that were done before this time, and returns how many it removed. */
  removeDone(before: number): Promise<number>;
};

export type StoredTask<State> = {
  readonly key: string;
  readonly state: State;
  readonly attempts: number;
  /** Null when the task is done or dead. */
  readonly dueAt: number | null;
  readonly doneAt: number | null;
  /** Why the task is dead; null when it is not. */
  readonly reason: string | null;
};
