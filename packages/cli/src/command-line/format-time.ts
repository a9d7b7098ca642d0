/** UTC to the second, so that output of several machines can be compared. */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
