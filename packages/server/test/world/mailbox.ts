import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export type Mail = { readonly from: string; readonly to: readonly string[]; readonly source: string };

/** A mail server that speaks as much SMTP (RFC 5321) as it takes to receive a mail, and lets a test refuse some. */
export type Mailbox = {
  readonly smtpUrl: string;
  readonly mails: Mail[];
  /** While true every mail is refused for now. */
  refuses: boolean;
  close(): Promise<void>;
};

export async function openMailbox(): Promise<Mailbox> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    receive(socket, mailbox);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const mailbox: Mailbox = {
    smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    refuses: false,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return mailbox;
}

function receive(socket: Socket, mailbox: Mailbox): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let heard = "";
  let mail = { from: "", to: [] as string[] };
  let source: string[] | null = null;
  say("220 mailbox.example");

  function hearLine(line: string): void {
    if (source === null) hearCommand(line);
    else if (line !== ".") source.push(line);
    else {
      mailbox.mails.push({ ...mail, source: source.join("\n") });
      source = null;
      mail = { from: "", to: [] };
      say("250 kept");
    }
  }

  function hearCommand(line: string): void {
    const [command = "", rest = ""] = line.split(/[ :](.*)/s);
    if (/^QUIT/i.test(command)) return void socket.end("221 bye\r\n");
    if (/^MAIL/i.test(command) && mailbox.refuses) return void say("451 not now");
    if (/^MAIL/i.test(command)) mail.from = addressIn(rest);
    if (/^RCPT/i.test(command)) mail.to.push(addressIn(rest));
    if (/^DATA/i.test(command)) source = [];
    say(source ? "354 go on" : "250 ok");
  }

  socket.on("data", (chunk) => {
    const lines = (heard + chunk).split("\r\n");
    heard = lines.pop() ?? "";
    for (const line of lines) hearLine(line);
  });
}

function addressIn(text: string): string {
  return /<([^>]*)>/.exec(text)?.[1] ?? "";
}
