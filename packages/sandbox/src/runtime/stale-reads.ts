import type { RowHistory } from "./row-history.ts";
import type { Service, WriteContext } from "./service.ts";

/** Records the current version of a row before a change, when the setting `staleReadsMs` is above 0. */
export function recordVersion<Row>(
  { service, now }: WriteContext,
  history: RowHistory<Row>,
  id: string,
  row: Row,
): void {
  if (service.settings.staleReadsMs > 0) history.record(id, row, now);
}

/** The row as a read returns it: the version of `staleReadsMs` ago. */
export function staleRow<Row>(service: Service, history: RowHistory<Row>, id: string, row: Row): Row {
  const { staleReadsMs } = service.settings;
  return staleReadsMs === 0 ? row : history.asOf(id, row, service.clock.now() - staleReadsMs);
}
