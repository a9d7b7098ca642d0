import { connect } from "node:net";

/** Writes bytes to a port as they are, and answers everything that came back until the other side closed or `waitMs` passed. */
export async function rawRequest(url: string, parts: readonly (string | Buffer)[], waitMs = 3_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let heard = "";
    const finish = () => {
      clearTimeout(tooLong);
      socket.destroy();
      resolve(heard);
    };
    const tooLong = setTimeout(finish, waitMs);
    socket.on("data", (chunk) => {
      heard += chunk;
      if (/\r\n\r\n[\s\S]*\}\n/.test(heard)) finish();
    });
    socket.on("error", (error) => (heard === "" ? reject(error) : finish()));
    socket.on("close", finish);
    for (const part of parts) socket.write(part);
  });
}
