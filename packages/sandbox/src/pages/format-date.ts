/** Writes a time as people read it. UTC, and it says so: the page does not know where the shopper is. */
export function dateFormatter(locale: string): (time: number) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return (time) => `${format.format(time)} UTC`;
}
