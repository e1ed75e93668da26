/** A released migration is never edited: objects that stored data under it must open. Comments inside a table are part of it. */

import { describe, expect, test } from "vitest";
import { AGENT_MIGRATIONS } from "../../../src/store/database/agent-schema";
import { type Migration, migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { inFreshObject } from "../../support/store/in-object";

/** SHA-256, in hex, of the tables as SQLite keeps them after these migrations. */
async function digestOf(migrations: readonly Migration[]): Promise<string> {
  const tables = await inFreshObject(({ sql }) => {
    migrate(sql, migrations);
    return [...sql.exec<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'table'")]
      .filter(({ name }) => !/^(_cf|sqlite)_/.test(name))
      .map((table) => table.sql)
      .sort();
  });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(tables)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// To change a table, add a migration with the next number and a digest here; these digests stay.
const DIGESTS = {
  "a processor's": [
    "c396a95c4e4b78524b0378be82e02b6d9b39a6092cb47f0415b35ce9116d143c",
    "4a7b12f452457acea9beb90c11e69d8b8114a8f07e4499c834ce1ab447f1b7fc",
    "c05cf6559a8029099dd4818031a5a252e405e7bc67cbf27ba39f741020695d8f",
    "63c7b32c6447866a9f7943bb8c367a3f83e2b68e9be3574388fcb387ef3369d8",
    "1f940b831d6f819856f323efe8236f15abb5b5f4e0623d1e06a8cf30c773a42a",
    "1236ef603591dce79df8754deda9c147d61fcbddcaff6777d122a7912fd8f43e",
    "a15e9223426e427e0b544186cb117d9b7846b35d0c089f76c9e81d406b2e732c",
    "6af9d6215e17b10ba5535279ad77f396500831f6f539501ee5751157c7927c54",
    "6f59c4d63a7d31394f3c4ba25661bfbda58f9295a32c012e5b0ae6ac8b2e5c3a",
    "7e1d33d6748c40a1d3b52f656f3546c17682ddcca297fb9f97063bf576d28004",
  ],
  "an agent's": [
    "a38d4078caf636fd69c02236d17bddf0888f568613420b2b0ad8d30524f294ba",
    "5ec2e25a1792c4e9045e77279bf2f3e53ddc4ea28d9de3b234a1d3226e657b97",
    "e6fb2a6e195eba351e6d1a7b5f231b82058dd8879dd79f84095ac788442e1807",
  ],
};

describe.each([
  ["a processor's", PROCESSOR_MIGRATIONS, DIGESTS["a processor's"]],
  ["an agent's", AGENT_MIGRATIONS, DIGESTS["an agent's"]],
])("%s schema", (_, migrations, digests) => {
  test.each(
    digests.map((digest, at) => [at + 1, digest] as const),
  )("after migration %d is as it was released", async (number, digest) => {
    expect(await digestOf(migrations.slice(0, number))).toBe(digest);
  });

  test("has a digest for each migration", () => {
    expect(digests.length).toBe(migrations.length);
  });
});
