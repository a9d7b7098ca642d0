import { createKillableProcess, createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

describe("the killable process", () => {
  it("a living process receives answers and errors", async () => {
    const { wrap } = createKillableProcess();
    const port = wrap({ name: "shop", read: async () => 7, fail: () => Promise.reject(new Error("no")), now: () => 1 });
    expect(port.name).toBe("shop");
    expect(port.now()).toBe(1);
    expect(await port.read()).toBe(7);
    await expect(port.fail()).rejects.toThrow("no");
  });

  it("a killed process never continues, while its calls still take effect", async () => {
    const clock = createManualClock();
    const server = createKillableProcess();
    const events: string[] = [];
    const shop = server.wrap({
      write: async (text: string) => {
        await clock.sleep(10);
        events.push(`the shop wrote ${text}`);
      },
    });
    const writeTwice = async () => {
      await shop.write("one");
      events.push("the process received the answer");
      await shop.write("two");
    };
    void writeTwice();
    await clock.advance(5);
    server.kill();
    void shop.write("three");
    await clock.advance(100);
    expect(events).toEqual(["the shop wrote one"]);
  });
});
