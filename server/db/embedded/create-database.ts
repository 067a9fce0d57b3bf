import { escapeIdentifier, type Client } from 'pg'

/** PostgreSQL makes a database wholly or not at all, so a start that was killed here just does it again. */
export async function createDatabaseIfMissing(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
}
