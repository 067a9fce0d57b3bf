import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'

export type Binaries = {
  /** Contains bin, lib and share. */
  native: string
  /** The version of the package, for example 18.4.0-beta.17. */
  version: string
}

/** One PostgreSQL data folder, and all that is needed to run it. */
export type Cluster = {
  /** Absolute and without symlinks, so that two spellings of one folder are one. */
  path: string
  /** As the user wrote it, for messages. */
  dataDir: string
  /** The folder in which clients find the socket. */
  host: string
  binaries: Binaries
  user: UnprivilegedUser | undefined
  settings: Record<string, string>
  say: (line: string) => void
  log: DatabaseLog
  /** PostgreSQL's process was created. */
  onLaunch: () => void
}

/** How serious a line of the database or of its supervisor is for the owner of the shop. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug'
export type DatabaseLog = (line: string, level: LogLevel) => void

/** Never listened on: with unix sockets the port is only part of the socket's name. */
export const databasePort = 5432

export const socketName = `.s.PGSQL.${databasePort}`

/** For PostgreSQL's programs: the same messages and the same clock on every machine. */
export const childEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

/**
 * For a shop on one small machine. Durability keeps PostgreSQL's defaults (fsync, synchronous_commit and
 * full_page_writes on): a paid order must survive a power cut.
 */
export const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(databasePort),
  max_connections: '100',
  shared_buffers: '64MB',
  // Reading in the backend itself: the three I/O workers cost memory and gain nothing at this size.
  io_method: 'sync',
  // Nobody replicates from here: one process less, and fewer slots.
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  // Parallel plans need /dev/shm, which is tiny in containers.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // The passwords are random: nobody guesses them, however fast a guess is checked.
  scram_iterations: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '[%p] ',
}

export type UnprivilegedUser = { uid: number; gid: number }

/**
 * PostgreSQL refuses to run as root: there it runs as a user that no other process has, since whoever shares its user can
 * read its files. Undefined for other users, who run it as themselves. The folder's owner remembers the choice.
 */
export async function findUnprivilegedUser(path: string): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const nobody = await findNobody()
  const owner = await stat(path).catch(() => undefined)
  if (owner && owner.uid !== 0 && owner.uid !== nobody.uid)
    return { uid: owner.uid, gid: owner.gid }
  return (await findUnusedUser(path)) ?? nobody
}

/** For programs that need a user with a name. */
export async function findNobody(): Promise<UnprivilegedUser> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? []
  // Slim images may have no passwd file; the number works without one.
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}

/** Above the users that people create, below those that systemd assigns, and within the 65,536 of most containers. */
const firstUnusedId = 50_000
const unusedIds = 10_000

/** Undefined if this container has too few ids. */
async function findUnusedUser(path: string): Promise<UnprivilegedUser | undefined> {
  const [users, groups, userIds, groupIds] = await Promise.all(
    ['/etc/passwd', '/etc/group', '/proc/self/uid_map', '/proc/self/gid_map'].map((file) =>
      readFile(file, 'utf8').catch(() => ''),
    ),
  )
  const taken = new Set([users, groups].flatMap((file) => file?.match(/(?<=^[^:]*:[^:]*:)\d+/gm)))
  const start = hash('sha256', path, 'buffer').readUInt32BE()
  for (let step = 0; step < unusedIds; step += 1) {
    const id = firstUnusedId + ((start + step) % unusedIds)
    if (taken.has(String(id))) continue
    const isMapped = isMappedIn(userIds, id) && isMappedIn(groupIds, id)
    return isMapped ? { uid: id, gid: id } : undefined
  }
  return undefined
}

/** Lines of: first id in this namespace, first id outside, number of ids. Other systems have no such file. */
function isMappedIn(map: string | undefined, id: number): boolean {
  if (!map) return true
  return map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => id >= first && id < first + count)
}

/**
 * How a child process started in `folder` names it. Through /proc it needs no permission for the folders above
 * (DATA_DIR may be below one that only root may enter), and no path is too long for a socket.
 */
export function workingFolderPath(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/** What the operating system or PostgreSQL complained about, in words that say what to fix. */
export function describeProblem(problem: unknown): string {
  const { code } = problem as NodeJS.ErrnoException
  const text = problem instanceof Error ? problem.message : String(problem)
  if (code === 'ENOSPC' || /No space left on device/.test(text)) return 'the disk is full'
  if (code === 'EDQUOT' || /Disk quota exceeded/.test(text)) return 'the disk quota is used up'
  if (code === 'EROFS' || /Read-only file system/.test(text)) return 'the disk is read-only'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write there'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'there is a file where a folder is needed'
  return text
}
