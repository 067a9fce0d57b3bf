import { readFile } from 'node:fs/promises'

export type UnprivilegedUser = { uid: number; gid: number }

/** Whom PostgreSQL runs as when we are root, which it refuses to be. Everybody else runs it as themselves. */
export async function maybeUnprivilegedUser(): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? []
  // Slim images may have no passwd file; the kernel knows the number all the same.
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}
