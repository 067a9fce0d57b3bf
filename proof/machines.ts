import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#server/testing/running-shop.ts'

/* What runs around several nodes: Debian's PostgreSQL, PgBouncer and HAProxy, each in a folder and on ports of its own. */

export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'
}

export type Programs = Record<'initdb' | 'postgres' | 'pgbouncer' | 'haproxy', string>

/** Where they are, as Debian installs them or on the path. */
export function findPrograms(): Programs {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
    '/usr/sbin',
    ...(process.env.PATH ?? '').split(':'),
  ]
  const find = (name: string) => {
    const path = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
    if (path) return path
    throw new MissingProgram(
      `This proof needs ${name}. On Debian or Ubuntu: apt-get install postgresql pgbouncer haproxy`,
    )
  }
  return {
    initdb: find('initdb'),
    postgres: find('postgres'),
    pgbouncer: find('pgbouncer'),
    haproxy: find('haproxy'),
  }
}

export function describePrograms({ postgres, pgbouncer, haproxy }: Programs): string {
  const versions = [
    [postgres, '--version'],
    [pgbouncer, '--version'],
    [haproxy, '-v'],
  ] as const
  return versions
    .map(([program, option]) => execFileSync(program, [option], { encoding: 'utf8' }))
    .map((text) => /(?:postgres|PgBouncer|HAProxy)\D*[\d.]+/i.exec(text)?.[0] ?? text.trim())
    .join(', ')
}

/** PostgreSQL and PgBouncer refuse to run as root; Debian has a user for them. */
function findUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres')
  if (!entry) throw new MissingProgram('There is no user "postgres", whom its package adds.')
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

function makeFolder(path: string): string {
  const { uid, gid } = findUser()
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  return path
}

async function startProgram(
  program: string,
  args: string[],
  port: number,
  options: object = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let output = ''
  child.stdout.on('data', (text) => (output = `${output}${text}`.slice(-4_000)))
  child.stderr.on('data', (text) => (output = `${output}${text}`.slice(-4_000)))
  for (const giveUpAt = Date.now() + 30_000; !(await isListening(port)); await delay(50))
    if (child.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`${program} did not start:\n${output}`)
  return child
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function stopProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** A cluster with durable writes and the database `till`. */
export async function startPostgres(programs: Programs, folder: string) {
  const data = join(makeFolder(folder), 'data')
  const user = findUser()
  execFileSync(
    programs.initdb,
    ['-D', data, '-U', 'till', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    },
  )
  const port = await freePort()
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
  let child = await startProgram(programs.postgres, args, port, { ...user, cwd: folder })
  return {
    connection: { host: '127.0.0.1', port, user: 'till', ssl: false },
    /** As an update of its package does. */
    async restart(): Promise<void> {
      await stopProgram(child, 'SIGINT')
      child = await startProgram(programs.postgres, args, port, { ...user, cwd: folder })
    },
    stop: () => stopProgram(child, 'SIGINT'),
  }
}

/** In transaction mode, as hosts offer it. */
export async function startPgbouncer(programs: Programs, folder: string, postgresPort: number) {
  makeFolder(folder)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
till = host=127.0.0.1 port=${postgresPort} dbname=till user=till
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 300
server_login_retry = 1
`,
    { mode: 0o644 },
  )
  const child = await startProgram(programs.pgbouncer, [file], port, {
    ...findUser(),
    cwd: folder,
  })
  return { url: `postgres://till@127.0.0.1:${port}/till`, stop: () => stopProgram(child, 'SIGINT') }
}

/** A node that is not ready twice in a row gets no more requests. Nothing that reached a node is sent again. */
export async function startHaproxy(programs: Programs, folder: string, nodePorts: number[]) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = nodePorts.map(
    (nodePort, index) => `  server node${index + 1} 127.0.0.1:${nodePort}`,
  )
  writeFileSync(
    file,
    `global
  maxconn 1000
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 10s
  timeout check 1s
  option redispatch
  retries 3
frontend shop
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance leastconn
  option httpchk GET /api/health/ready
  default-server check inter 500ms fastinter 300ms fall 2 rise 1
${servers.join('\n')}
`,
  )
  const child = await startProgram(programs.haproxy, ['-db', '-f', file], port)
  return { address: `http://127.0.0.1:${port}`, stop: () => stopProgram(child, 'SIGKILL') }
}
