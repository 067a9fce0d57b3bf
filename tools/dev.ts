import { spawn } from 'node:child_process'

/** The shop while one works on it: pages are rebuilt and the server starts again when a file is saved. */
const watched = ['server', 'contract', 'dist'].map((folder) => `--watch-path=${folder}`)
const children = [
  ['node_modules/vite/bin/vite.js', 'build', '--watch', '--logLevel', 'warn'],
  [...watched, 'server/main.ts'],
].map((args) => spawn(process.execPath, args, { stdio: 'inherit' }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => children.forEach((child) => child.kill(signal)))
}
await Promise.all(children.map((child) => new Promise((resolve) => child.on('exit', resolve))))
