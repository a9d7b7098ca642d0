/** The answer to a session request. A 2xx confirms that the session is stored; after any other status Shopify posts it again. */
export type SessionResponse = { readonly status: number; readonly body: object };

export function refuse(status: number, code: string, message: string): SessionResponse {
  return { status, body: { code, message } };
}

export function refuseChangedSession(): SessionResponse {
  return refuse(409, "session_differs", "This session was posted before with other values.");
}
