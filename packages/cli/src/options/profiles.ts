import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** Where a service is and with which secret key it is called. */
export type Profile = { readonly service: string; readonly secretKey: string };

function profilesFolder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "tillkit");
}

export function profilesFile(): string {
  return join(profilesFolder(), "profiles.json");
}

/**
 * The profile of this name, or null.
 * @throws Error when other users of the machine can read the file, or when it is not a file of profiles
 */
export async function readProfile(name: string): Promise<Profile | null> {
  const profile = (await readProfiles())[name];
  return profile ?? null;
}

/** Adds or replaces a profile. Only the user can read the file. */
export async function saveProfile(name: string, profile: Profile): Promise<void> {
  const profiles = { ...(await readProfiles()), [name]: profile };
  await mkdir(profilesFolder(), { recursive: true, mode: 0o700 });
  // Written beside the file and renamed: a process that dies here leaves the old profiles, and the keys are never readable by others.
  const temporary = `${profilesFile()}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(temporary, profilesFile());
}

async function readProfiles(): Promise<Readonly<Record<string, Profile>>> {
  const file = profilesFile();
  if (!existsSync(file)) return {};
  // Windows has no such mode; there the user's own folder protects the file.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0)
    throw new Error(`Other users of this machine can read the keys in ${file}: run chmod 600 ${file}.`);
  const profiles = parseJson(await readFile(file, "utf8"));
  if (!isProfiles(profiles)) throw new Error(`${file} is not a file of profiles: write it with tillkit config init.`);
  return profiles;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isProfiles(value: unknown): value is Readonly<Record<string, Profile>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (profile: Partial<Profile> | null) => typeof profile?.service === "string" && typeof profile.secretKey === "string",
  );
}
