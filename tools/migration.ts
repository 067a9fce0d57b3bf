import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm run migration` writes the one migration that makes the whole schema anew. Until the tag 1.0.0 a change of the schema
 * is made this way, since no database has to be kept. From then on `npm run migration -- name` adds a migration.
 */

const databaseFolder = join(import.meta.dirname, '..', 'server', 'db')
const migrationsFolder = join(databaseFolder, 'migrations')
const [name] = process.argv.slice(2)

if (name === undefined) {
  const migrations = readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql'))
  if (migrations.length > 1)
    throw new Error(
      'There are migrations after the first. Name the new one: npm run migration -- name',
    )
  rmSync(migrationsFolder, { recursive: true, force: true })
  generate('initial')
  const file = join(migrationsFolder, '0000_initial.sql')
  const tables = readFileSync(file, 'utf8')
  const functions = readFileSync(join(databaseFolder, 'functions.sql'), 'utf8')
  writeFileSync(file, `${functions.trim()}\n--> statement-breakpoint\n${tables.trim()}\n`)
} else {
  generate(name)
}

function generate(migration: string): void {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/drizzle-kit/bin.cjs', 'generate', '--name', migration],
    { stdio: 'inherit' },
  )
  if (status !== 0) process.exit(1)
}
