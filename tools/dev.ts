import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

/** The shop while one works on it: pages are rebuilt and the server starts again when a file is saved. */
// What is built from here on is not what a start would build.
rmSync('dist/.built', { force: true })
const watched = ['server', 'contract', 'dist'].map((folder) => `--watch-path=${folder}`)
const children = [
  ['node_modules/vite/bin/vite.js', 'build', '--watch', '--logLevel', 'warn'],
  [...watched, 'server/main.ts'],
].map((args) => spawn(process.execPath, args, { stdio: 'inherit' }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => children.forEach((child) => child.kill(signal)))
}
await Promise.all(children.map((child) => new Promise((resolve) => child.on('exit', resolve))))
