/** Judges what is left on the disks when nothing is under way any more. */

/** The tables that were set aside to be deleted in pieces: see src/store/tables/discarded-tables.ts. */
const SET_ASIDE =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'discarded_[0-9]*' OR name GLOB 'ended_[0-9]*')";

/** The tables of what restores and loads stage before it takes effect. */
const STAGED = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'staged_*'";

/**
 * What was staged is taken over, or is deleted when it is given up.
 *
 * @param {import("../kernel/world.mjs").World} world
 * @returns {string[]} what is wrong, in sentences
 */
export function judgeStaged({ nodes }) {
  return [...nodes.values()].flatMap(({ disk, id }) =>
    disk.run(STAGED, []).rows.flatMap(([name]) => {
      const [[count]] = disk.run(`SELECT count(*) FROM ${name}`, []).rows;
      return count === 0 ? [] : [`${id} still has ${count} rows in ${name}, which nothing takes over`];
    }),
  );
}

/**
 * What was set aside is deleted in the end.
 *
 * @param {import("../kernel/world.mjs").World} world
 * @returns {string[]} what is wrong, in sentences
 */
export function judgeDisks({ nodes }) {
  return [...nodes.values()].flatMap(({ disk, id }) =>
    disk.run(SET_ASIDE, []).rows.map(([name]) => `${id} still has the table ${name}, which was to be deleted`),
  );
}
