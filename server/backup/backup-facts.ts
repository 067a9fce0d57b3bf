import { z } from 'zod'
import { settingsRowId } from '#server/db/admin-schema.ts'
import { lineEnd, type Entry } from './backup-entry.ts'

/*
 * Whose shop a backup is of. Neither a checksum nor encryption to a public key shows who wrote a file, so the owner compares
 * this before a restore. It is read from the rows that are restored: the manifest could say anything.
 */

export type BackupFacts = {
  admins: { username: string; email: string; isDisabled: boolean }[]
  /** Those whose invitation is not used yet. */
  invited: string[]
  /** Undefined where the back-office saved none: then it came from the environment, which is not in a backup. */
  publicUrl: string | undefined
  customDomain: string | undefined
  merchantCode: string | undefined
}

type TableEntry = Extract<Entry, { kind: 'table' }>
type Row = Record<string, string | null | undefined>

const factTables = ['users', 'credentials', 'admin_invites', 'shop_settings']

const savedSchema = z.object({
  address: z
    .object({ publicUrl: z.string().nullish(), customDomain: z.string().nullish() })
    .optional(),
  sumup: z.object({ merchantCode: z.string().nullish() }).optional(),
})

/** Takes the tables of a backup as they are read, and says what they tell once all are. */
export function collectFacts() {
  const rows: Record<string, Row[]> = {}
  const rowsOf = (name: string) => rows[name] ?? []
  return {
    add(entry: TableEntry): void {
      if (factTables.includes(entry.name))
        rows[entry.name] = [...rowsOf(entry.name), ...parseRows(entry)]
    },
    /** Throws where a row is not what the shop writes. */
    read(): BackupFacts {
      const settings = rowsOf('shop_settings').find(({ id }) => id === settingsRowId)
      const { address, sumup } = savedSchema.parse(JSON.parse(settings?.values ?? '{}'))
      return {
        admins: rowsOf('credentials').map(({ user_id: id, username, disabled_at: disabledAt }) => ({
          username: username ?? '',
          email: rowsOf('users').find((user) => user.id === id)?.email ?? '',
          isDisabled: Boolean(disabledAt),
        })),
        invited: rowsOf('admin_invites').map(({ email }) => email ?? ''),
        publicUrl: address?.publicUrl ?? undefined,
        customDomain: address?.customDomain ?? undefined,
        merchantCode: sumup?.merchantCode ?? undefined,
      }
    },
  }
}

/** Rows in the text format of COPY: a line each, with tabs between values and no other line ends or tabs. */
function parseRows({ columns, rows }: TableEntry): Row[] {
  const lines = rows.toString().split(String.fromCodePoint(lineEnd)).slice(0, -1)
  return lines.map((line) => {
    const values = line.split('\t')
    return Object.fromEntries(columns.map((column, index) => [column, unescape(values[index])]))
  })
}

const escaped: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescape(value = ''): string | null {
  if (value === String.raw`\N`) return null
  return value.replaceAll(/\\(.)/g, (_all, character: string) => escaped[character] ?? character)
}
