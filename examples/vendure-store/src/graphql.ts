/**
 * Sends a GraphQL request of one person, whose session is the token that Vendure answers with.
 * @returns the field `data`. @throws Error with Vendure's messages when the answer has errors
 */
export type GraphQlCaller = <Data = Record<string, never>>(
  query: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Data>;

export function createGraphQlCaller(url: string, headers: Readonly<Record<string, string>> = {}): GraphQlCaller {
  let token: string | null = null;
  return async <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    token = answer.headers.get("vendure-auth-token") ?? token;
    const { data, errors } = (await answer.json()) as { data: Data; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join("; "));
    return data;
  };
}
