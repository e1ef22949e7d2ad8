// Databases with one fault each, made around a real one, and the check that has to find it.

import { randomUUID } from "node:crypto"
import type { Backend } from "../../dataset/backend.ts"
import type { Copies } from "../../dataset/copies.ts"
import type { Database, OpenSource } from "../../dataset/database.ts"
import type { Member } from "./member.ts"
import { canary } from "./workbench.ts"

/** A fault, and who finds it. */
export interface Spoilt {
  readonly fault: string
  /** The name of the check. */
  readonly foundBy: string
  readonly spoil: (member: Member) => Member
}

/** How long a query may run on before a check calls it endless. */
const never = 2 ** 30

/** Every fault that was thought of. */
export const spoiltDatabases: readonly Spoilt[] = [
  {
    fault: "it drops a row of an extract",
    foundBy: "thousands of groups come back, each once and with all of its rows",
    spoil: serving((backend) => ({
      ...backend,
      run: ({ sql, ...query }, options) => {
        const text = query.keyCount === 0 ? sql.text : `SELECT * FROM (${sql.text}) AS t OFFSET 1`
        return backend.run({ ...query, sql: { ...sql, text } }, options)
      },
    })),
  },
  {
    fault: "it hands on what the driver says",
    foundBy: "what the driver says of a failure stays inside",
    spoil: serving((backend) => ({
      ...backend,
      run: (query, options) =>
        backend.run(query, options).catch((error: unknown) => {
          if (error instanceof Error) error.cause = new Error(`could not cast '${canary} 7'`)
          throw error
        }),
    })),
  },
  {
    fault: "it has no limit of time",
    foundBy: "a query ends at its limit of time, and others go on",
    spoil: opening((opened) => ({
      ...opened,
      serve: (options) => opened.serve({ ...options, timeoutMs: never }),
    })),
  },
  {
    fault: "it does not listen to a cancellation",
    foundBy: "a query ends when it is cancelled, before it began too, and others go on",
    spoil: serving((backend) => ({
      ...backend,
      run: (query, { secret }) => backend.run(query, { secret }),
    })),
  },
  {
    fault: "it goes on when it is closed",
    foundBy: "closing stops what runs",
    spoil: serving((backend) => ({ ...backend, close: async () => undefined })),
  },
  {
    fault: "all data is one version to it",
    foundBy: "the same data is the same version, and other data another one",
    spoil: opening((opened) => ({ ...opened, seen: { ...opened.seen, print: "one" } })),
  },
  {
    fault: "every opening is another version to it",
    foundBy: "the same data is the same version, and other data another one",
    spoil: opening((opened) => ({ ...opened, seen: { ...opened.seen, print: randomUUID() } })),
  },
  {
    fault: "it does not notice that data changes",
    foundBy: "data that changes after it was opened is refused",
    spoil: opening((opened) => ({ ...opened, seen: { ...opened.seen, isSame: async () => true } })),
  },
  {
    fault: "it believes every claim",
    foundBy: "a key that does not hold is refused, NULL beside NULL too, and no value is told",
    spoil: opening((opened) => ({
      ...opened,
      haveRows: async (queries) => (await opened.haveRows(queries)).map(() => false),
    })),
  },
  {
    fault: "it tells the values of a type",
    foundBy: "names and types are discovered in their order, and no value comes with them",
    spoil: opening((opened) => ({
      ...opened,
      discover: async () => {
        const { tables } = await opened.discover()
        const shown = tables.map((table) => ({
          ...table,
          columns: table.columns.map((column) => ({ ...column, typeName: `ENUM('${canary}')` })),
        }))
        return { tables: shown }
      },
    })),
  },
  {
    fault: "it chooses groups without the secret",
    foundBy: "which groups of a unit count is the secret's choice, and nobody else's",
    spoil: serving((backend) => ({
      ...backend,
      run: (query, options) => backend.run(query, { ...options, secret: "always the same" }),
    })),
  },
  {
    fault: "it says that what it refused was done",
    foundBy: "nothing of the source can be written",
    spoil: serving((backend) => ({
      ...backend,
      readPublic: (sql, columns) => backend.readPublic(sql, columns).catch(() => []),
    })),
  },
  {
    fault: "its lists of units stay",
    foundBy: "lists of units hold the ids that they are given, each once, until they are dropped",
    spoil: serving((backend) => ({ ...backend, dropUnitList: async () => undefined })),
  },
  {
    fault: "it reads copies of whichever data",
    foundBy: "copies of other data, or under another secret, are not opened",
    spoil: copying((copies) => ({
      ...copies,
      open: async ({ copies: wanted }) => ((await copies.areThere()) ? wanted : []),
    })),
  },
  {
    fault: "its copies lack a row",
    foundBy: "copies give what the tables give, where nothing is cut",
    spoil: serving((backend) => ({
      ...backend,
      run: ({ sql, ...query }, options) => {
        const text = sql.text.replaceAll(/"prepared"\."main"\."[^"]+"/g, "(SELECT * FROM $& OFFSET 1)")
        return backend.run({ ...query, sql: { ...sql, text } }, options)
      },
    })),
  },
  {
    fault: "all data lies at one place to it",
    foundBy: "places stand for where the data lies, not for what it is",
    spoil: (member) => changed(member, (database) => ({ ...database, places: () => ["here"] })),
  },
]

function changed(member: Member, change: (database: Database) => Database): Member {
  return {
    ...member,
    make: async (tables) => {
      const made = await member.make(tables)
      return { ...made, database: change(made.database) }
    },
  }
}

function opening(change: (opened: OpenSource) => OpenSource): Spoilt["spoil"] {
  return (member) =>
    changed(member, (database) => ({
      ...database,
      open: async (options) => change(await database.open(options)),
    }))
}

function serving(change: (backend: Backend) => Backend): Spoilt["spoil"] {
  return opening((opened) => ({
    ...opened,
    serve: async (options) => change(await opened.serve(options)),
  }))
}

function copying(change: (copies: Copies) => Copies): Spoilt["spoil"] {
  return opening((opened) => ({
    ...opened,
    copies: (place) => {
      const copies = opened.copies(place)
      return copies === undefined ? undefined : change(copies)
    },
  }))
}
