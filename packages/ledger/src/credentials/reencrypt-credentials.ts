import type { Database } from "@tillkit/sql";
import type { LedgerSchema } from "../database/schema.ts";
import type { SecretCipher } from "../records/secret-cipher.ts";
import { nextVersion } from "./credentials.ts";
import { recordKeyOf } from "./sealed-key.ts";

/** Encrypts every credential under the newest key and returns how many had an older key. The version stays, as nothing changes. */
export async function reencryptCredentials(
  { transaction }: Database<LedgerSchema>,
  cipher: SecretCipher,
): Promise<number> {
  return await transaction(async (session) => {
    // No process changes a credential between its reading and its writing here.
    await nextVersion(session, 0);
    const rows = await session.selectFrom("tillkit_credentials").select(["id", "sealed"]).execute();
    const older = rows.filter(({ sealed }) => !cipher.usesNewestKey(sealed));
    for (const { id, sealed } of older) {
      const text = cipher.encrypt(cipher.decrypt(sealed, recordKeyOf(id)), recordKeyOf(id));
      await session.updateTable("tillkit_credentials").set({ sealed: text }).where("id", "=", id).execute();
    }
    return older.length;
  });
}
