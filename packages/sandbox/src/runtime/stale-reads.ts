import type { RowHistory } from "./row-history.ts";
import type { Service, WriteContext } from "./service.ts";

/** Remembers a row that a change is about to replace, while the setting `staleReadsMs` is on. */
export function recordVersion<Row>(
  { service, now }: WriteContext,
  history: RowHistory<Row>,
  id: string,
  row: Row,
): void {
  if (service.settings.staleReadsMs > 0) history.record(id, row, now);
}

/** The row as a read shows it: as it was `staleReadsMs` ago. */
export function staleRow<Row>(service: Service, history: RowHistory<Row>, id: string, row: Row): Row {
  const { staleReadsMs } = service.settings;
  return staleReadsMs === 0 ? row : history.asOf(id, row, service.clock.now() - staleReadsMs);
}
