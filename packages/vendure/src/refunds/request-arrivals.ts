/** When the HTTP requests that are under way arrived, in milliseconds since 1970. */
const arrivals = new WeakMap<object, number>();

/** Stores the time at which a request arrived. A request may wait for a database connection before Vendure handles it. */
export function noteArrival(request: object): void {
  arrivals.set(request, Date.now());
}

/** When the request of this context arrived. Now for a call that is no HTTP request. */
export function arrivalOf({ req }: { readonly req?: object | undefined }): number {
  return (req && arrivals.get(req)) ?? Date.now();
}
