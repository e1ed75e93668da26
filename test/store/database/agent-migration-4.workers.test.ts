/** Migration 4 of agents: what was stored before stays, and routes can be kept from then on. */

import { expect, test } from "vitest";
import { AGENT_MIGRATIONS } from "../../../src/store/database/agent-schema";
import { migrate } from "../../../src/store/database/migrations";
import { GenomeTable } from "../../../src/store/tables/genome-table";
import { KeyTable } from "../../../src/store/tables/key-table";
import { RouteTable } from "../../../src/store/tables/route-table";
import { inFreshObject } from "../../support/store/in-object";

const KEY = {
  id: "0123456789abcdef",
  secretSha256: new Uint8Array(32),
  name: "sensor-7",
  roles: ["observe"],
  processors: [],
  sessions: [],
  expires: undefined,
  perMinute: undefined,
  created: 1_795_250_628,
};

const ROUTE = { name: "zigbee", json: '{"topic":"zigbee2mqtt/+","processor":"P1"}' };

test("an agent of before keeps its genome and its keys, has no routes, and takes some", async () => {
  const seen = await inFreshObject(({ sql }) => {
    migrate(
      sql,
      AGENT_MIGRATIONS.filter(({ number }) => number < 4),
    );
    sql.exec("INSERT INTO agent (row, name, revision) VALUES (0, 'simple', 3)");
    sql.exec("INSERT INTO genome (part, bytes) VALUES (0, CAST('{}' AS BLOB))");
    new KeyTable(sql).insert(KEY);
    const routes = new RouteTable(sql);
    const before = { revision: routes.revision(), all: routes.all(), count: routes.count(), bytes: routes.bytes() };
    routes.put(ROUTE);
    const again = new RouteTable(sql);
    const after = { all: again.all(), count: again.count(), bytes: again.bytes() };
    const grown = again.revision();
    again.put({ ...ROUTE, json: "{}" });
    again.put({ name: "~", json: "{}" });
    again.put({ name: "A", json: "{}" });
    const order = again.all().map(({ name }) => name);
    const deleted = [again.delete("zigbee"), again.delete("zigbee")];
    return {
      before,
      after,
      order,
      deleted,
      rises: again.revision() > grown && grown > 0,
      genome: new GenomeTable(sql).read(),
      keys: new KeyTable(sql).all(),
    };
  });
  expect(seen).toEqual({
    before: { revision: 0, all: [], count: 0, bytes: 0 },
    after: { all: [ROUTE], count: 1, bytes: ROUTE.name.length + ROUTE.json.length },
    order: ["A", "zigbee", "~"],
    deleted: [true, false],
    rises: true,
    genome: { name: "simple", revision: 3, json: "{}", places: new Map() },
    keys: [KEY],
  });
});
