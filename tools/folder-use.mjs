// Which processes use a folder of the shop. For run.mjs, before anything is installed: nothing but node: modules.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each shop holds a socket named after its folder and process; see server/running-mark.ts. */
export function findRunningShops(folder) {
  const prefix = `till-${hashOf(folder)}-`
  if (process.platform === 'linux') {
    const sockets = existsSync('/proc/net/unix') ? readFileSync('/proc/net/unix', 'utf8') : ''
    return [...sockets.matchAll(new RegExp(`@${prefix}(\\d+)`, 'g'))].map(([, pid]) => pid)
  }
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter(isAlive)
}

function hashOf(folder) {
  return createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * One command at a time looks for what is missing: a second one would replace what the first is installing, or run with half of
 * it. A socket, because it ends with its process.
 */
export async function lockFolder(folder, say) {
  const name = `till-installing-${hashOf(folder)}`
  const path = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  let isTold = false
  for (;;) {
    const waiting = new Set()
    const lock = createServer((socket) => waiting.add(socket.on('error', () => {})))
    const error = await new Promise((resolve) => {
      lock.once('error', resolve)
      lock.listen({ path }, resolve)
    })
    if (!error)
      return () => {
        lock.close()
        for (const socket of waiting) socket.destroy()
      }
    // Where no socket can be opened, commands are not kept apart.
    if (error.code !== 'EADDRINUSE') return () => {}
    const isGone = await new Promise((resolve) => {
      const other = connect({ path })
      other.once('error', () => resolve(true))
      other.once('close', () => resolve(false))
      other.once('connect', () => {
        if (!isTold) say('Another command prepares this folder, waiting for it…')
        isTold = true
      })
      other.resume()
    })
    if (isGone && process.platform !== 'linux') rmSync(path, { force: true })
  }
}
