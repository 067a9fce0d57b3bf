import type { ClientBase } from 'pg'

type Change = { drop: string; add: string }

/**
 * Drops the keys and indexes of tables, and returns the statements that make them again: for filling tables, which is
 * several times faster without, and can then be done in any order. In a transaction: nobody ever sees the tables without
 * them. Keys to tables that are not among these are dropped with 'all' only, since that locks those tables too.
 */
export async function dropKeys(
  client: ClientBase,
  tables: string[],
  foreignKeys: 'all' | 'between',
): Promise<string[]> {
  const isOurs = `any (array(select oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any ($1)))`
  const listConstraints = async (condition: string) => {
    const { rows } = await client.query<Change>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
      from pg_constraint where ${condition} and conrelid = ${isOurs}`,
      [tables],
    )
    return rows
  }
  const foreign = await listConstraints(
    foreignKeys === 'all' ? `contype = 'f'` : `contype = 'f' and confrelid = ${isOurs}`,
  )
  const keys = await listConstraints(`contype in ('p', 'u')`)
  const { rows: indexes } = await client.query<Change>(
    `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as add
    from pg_index where indrelid = ${isOurs}
      and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { drop } of [...foreign, ...keys, ...indexes]) await client.query(drop)
  return [...keys, ...indexes, ...foreign].map(({ add }) => add)
}
