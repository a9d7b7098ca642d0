/** Universal time, to the second, so that lines of several machines can be laid side by side. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
