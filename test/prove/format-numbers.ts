const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function formatCount(value: number): string {
  return number.format(value);
}

/** `0.4 s`, `12 s`, `3 min 05 s`, `1 h 12 min`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${twoDigits(Math.round(seconds) % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
