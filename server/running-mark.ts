import { hash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Marks this folder as used by a running shop, so that no command (run.mjs) replaces its packages meanwhile. A socket, because
 * it ends with the process however that ends; on Linux one without a file, which also works where nothing may be written.
 * Without a mark the shop works as well.
 */
export function markRunning(): void {
  const name = `till-${hash('sha256', realpathSync(root)).slice(0, 16)}-${process.pid}`
  const path = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  createServer((socket) => socket.destroy())
    .on('error', () => {})
    .listen({ path })
    .unref()
}
