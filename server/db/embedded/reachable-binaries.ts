import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CannotStart } from '#server/cannot-start.ts'
import { addLibraryNames, noBinaries, type Binaries } from './binaries.ts'
import { copyBinaries, maybeCopy } from './copy-binaries.ts'
import { plainReason } from './plain-reason.ts'
import { plainEnvironment } from './settings.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

/**
 * Binaries which the user that will run them can reach: those of the package, or a copy of them, since a clone
 * below /root or another folder that only root may enter is out of reach for an unprivileged user.
 */
export async function reachableBinaries(
  binaries: Binaries,
  user: UnprivilegedUser | undefined,
  say: (line: string) => void,
  copyPlaces: string[] = [tmpdir(), '/var/tmp'],
): Promise<Binaries> {
  const obstacle = await addLibraryNames(binaries.native).then(
    () => maybeObstacle(binaries, user),
    (error: unknown) => ({ words: plainReason(error) }),
  )
  if (obstacle === undefined) return binaries

  const reasons = [obstacle.words]
  const places = new Set(copyPlaces)
  for (const place of places) {
    try {
      const copy = await maybeCopy(binaries, place)
      if (copy && (await maybeObstacle(copy, user)) === undefined) return copy
    } catch (error) {
      reasons.push(`${place}: ${plainReason(error)}`)
      places.delete(place)
    }
  }
  say('Copying PostgreSQL to where an unprivileged user can run it…')
  for (const place of places) {
    try {
      const copy = await copyBinaries(binaries, place)
      const stillThere = await maybeObstacle(copy, user)
      if (stillThere === undefined) return copy
      reasons.push(`${place}: ${stillThere.words}`)
      await rm(copy.native, { recursive: true })
    } catch (error) {
      if (error instanceof CannotStart) throw error
      reasons.push(`${place}: ${plainReason(error)}`)
    }
  }
  throw new CannotStart(
    `The built-in PostgreSQL in ${binaries.native} cannot be run from there (${reasons.join('; ')}). ` +
      'Move Till to a folder that every user may enter, such as /opt/till, or set DATABASE_URL.',
  )
}

/** Found by really running it: permissions, noexec mounts and missing libraries all show themselves. */
async function maybeObstacle(
  { native }: Binaries,
  user: UnprivilegedUser | undefined,
): Promise<{ words: string } | undefined> {
  const postgres = join(native, 'bin', 'postgres')
  const probe = spawn(postgres, ['--version'], {
    cwd: '/',
    env: plainEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  const failure = new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    probe.once('error', resolve).once('exit', () => resolve(undefined))
  })
  const [error, complaint] = await Promise.all([failure, text(probe.stderr)])
  if (error === undefined) return probe.exitCode === 0 ? undefined : { words: complaint.trim() }
  if (error.code === 'ENOENT')
    throw noBinaries(process.platform, process.arch, 'its C library is not glibc')
  if (user !== undefined && (error.code === 'EPERM' || error.code === 'EINVAL')) {
    throw new CannotStart(
      'PostgreSQL does not run as root, and this process may not become another user. ' +
        'Start Till as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { words: error.code === 'EACCES' ? 'its user may not enter that folder' : error.message }
}
